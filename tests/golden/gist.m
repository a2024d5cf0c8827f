% SPDX-License-Identifier: BSD-3-Clause
% Writes gist.json: where GIST of a public toolbox ends from x = 0 (README.md).
% usage: octave-cli --no-gui gist.m FOLDER_OF_gist_opt
1;

% The penalty of each coefficient; b is its shape, for lp [p eps].
function h = penalty(name, x, lambda, b)
  x = abs(x);
  switch name
    case 'capped-l1'
      h = lambda * min(x, b);
    case 'scad'
      middle = (2 * b * lambda * x - x .^ 2 - lambda ^ 2) / (2 * (b - 1));
      h = ifelse(x <= lambda, lambda * x, ifelse(x <= b * lambda, middle, lambda ^ 2 * (b + 1) / 2));
    case 'mcp'
      h = ifelse(x <= b * lambda, lambda * x - x .^ 2 / (2 * b), b * lambda ^ 2 / 2);
    case 'log'
      h = lambda * log1p(x / b);
    case 'lp'
      h = lambda * ((x + b(2)) .^ b(1) - b(2) ^ b(1));
  end
end

function r = ifelse(condition, yes, no)
  r = yes .* condition + no .* ! condition;
end

% The minimiser of (x - v)^2 / (2 step) + penalty: the best of the candidates that the pieces of the penalty have.
function x = prox(name, v, step, lambda, b)
  a = abs(v);
  switch name
    case 'capped-l1'
      c = [min(b, max(0, a - lambda * step)), max(a, b)];
    case 'scad'
      c = [min(lambda, max(0, a - step * lambda)), max(a, b * lambda)];
      if step < b - 1
        c = [c, min(max(((b - 1) * a - step * b * lambda) / (b - 1 - step), lambda), b * lambda)];
      end
    case 'mcp'
      c = [0 * a, max(a, b * lambda)];
      if step < b
        c = [c, min(max((a - step * lambda) / (1 - step / b), 0), b * lambda)];
      end
    case 'log'
      d = (a - b) .^ 2 - 4 * (step * lambda - a * b);
      c = [0 * a, (d >= 0) .* max((a - b + sqrt(max(d, 0))) / 2, 0)];
    case 'lp'
      y = a;
      for k = 1:200
        y = max(0, a - step * lambda * b(1) * (y + b(2)) .^ (b(1) - 1));
      end
      c = [0 * a, y];
  end
  value = (c - a) .^ 2 / (2 * step) + penalty(name, c, lambda, b);
  [~, best] = min(value, [], 2);
  x = sign(v) .* c(sub2ind(size(c), (1:rows(c))', best));
end

function [A, y] = read_libsvm(path)
  lines = strsplit(strtrim(fileread(path)), "\n");
  y = zeros(numel(lines), 1);
  A = [];
  for i = 1:numel(lines)
    row = sscanf(strrep(lines{i}, ':', ' '), '%f');
    y(i) = row(1);
    A(i, row(2:2:end)) = row(3:2:end);
  end
end

function [f, gradient] = mean_loss(name, A, y)
  n = rows(A);
  if strcmp(name, 'logistic')
    f = @(x) mean(log1p(exp(-abs(y .* (A * x)))) + max(-y .* (A * x), 0));
    gradient = @(x) -A' * (y ./ (1 + exp(y .* (A * x)))) / n;
  else
    f = @(x) sum((A * x - y) .^ 2) / (2 * n);
    gradient = @(x) A' * (A * x - y) / n;
  end
end

addpath(argv(){1});
files = {'dense-class', 'logistic'; 'sparse-class', 'logistic'; 'wide-class', 'logistic'; ...
         'dense-reg', 'squared'; 'sparse-reg', 'squared'};
shapes = {'capped-l1', 'theta', 0.2; 'capped-l1', 'theta', 1; 'scad', 'a', 3.7; 'mcp', 'gamma', 3; ...
          'log', 'theta', 0.1; 'lp', 'p', [0.5 0.01]};
options = struct('eta', 2, 't0', 1, 'sigma', 1e-5, 'm', 5, 'nbitermax', 1000, 'stopvarx', 1e-5, 'stopvarj', 1e-5, ...
                 'nbinneritermax', 20, 'verbose', 0, 'lambda', 1);
out = fopen('gist.json', 'w');
separator = "[\n";
for i = 1:rows(files)
  [A, y] = read_libsvm(['data/' files{i, 1} '.svm']);
  [f, gradient] = mean_loss(files{i, 2}, A, y);
  zero = zeros(columns(A), 1);
  for j = 1:rows(shapes)
    for share = [0.3 0.05]
      [name, key, b] = shapes{j, :};
      steepest = 1; % slope of the penalty at 0 with lambda = 1
      eps_of_lp = '';
      if strcmp(name, 'log')
        steepest = 1 / b;
      elseif strcmp(name, 'lp')
        steepest = b(1) * b(2) ^ (b(1) - 1);
        eps_of_lp = sprintf('"eps": %g, ', b(2));
      end
      lambda = str2double(sprintf('%.4g', share * norm(gradient(zero), 'inf') / steepest));
      h = @(x) sum(penalty(name, x, lambda, b));
      x = gist_opt(f, gradient, h, @(v, step) prox(name, v, step, lambda, b), zero, options);
      fprintf(out, ['%s{"id": "%s-%s-%g-%g", "data": "data/%s.svm", "features": %d, "loss": "%s", "penalty": "%s", ' ...
                    '"%s": %g, %s"lambda": %g, "ridge": 0, "scale": "mean", "intercept": false, "objective": %.17g}'], ...
              separator, name, files{i, 1}, b(1), share, files{i, 1}, columns(A), files{i, 2}, name, key, b(1), ...
              eps_of_lp, lambda, f(x) + h(x));
      separator = ",\n";
    end
  end
end
fprintf(out, "\n]\n");
fclose(out);
