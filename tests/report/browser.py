#!/usr/bin/env python3
"""A page in headless Chromium, spoken to through a pipe; nothing but Python's own library is needed.

usage: browser.py PAGE PICTURE [--width N] [--dark] [--height N]      takes a picture of the page
"""

import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

LIMIT_S = 120


def find():
    """The path of Chromium; None if there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to = os.pipe()
        self.answers, from_write = os.pipe()
        words = [find(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                 "--no-first-run", "--disable-dev-shm-usage", "--font-render-hinting=none",
                 f"--user-data-dir={self.profile.name}", "about:blank"]
        self.process = subprocess.Popen(words, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, preexec_fn=lambda: hand_over(to_read, from_write))
        os.close(to_read)
        os.close(from_write)
        self.pending, self.number, self.session = b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Log.enable")
        self.call("Runtime.enable")
        self.complaints = []

    def message(self):
        while b"\0" not in self.pending:
            block = os.read(self.answers, 1 << 16)
            if not block:
                raise RuntimeError("the browser ended")
            self.pending += block
        text, self.pending = self.pending.split(b"\0", 1)
        return json.loads(text)

    def note(self, message):
        """What the page complains of: errors of scripts, files it wanted to load."""
        if message.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(message["params"]["exceptionDetails"]["text"])
        if message.get("method") == "Log.entryAdded":
            self.complaints.append(message["params"]["entry"]["text"])

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def open(self, page, width, height=900, dark=False, scripts=True, printed=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media="print" if printed else "",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("Page.navigate", url=pathlib.Path(page).resolve().as_uri())
        while self.evaluate("document.readyState") != "complete":
            pass

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", "an error"))
        return result["result"].get("value")

    def picture(self, path, clip=None):
        words = {"clip": dict(clip, scale=1)} if clip else {}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, **words)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.answers)
        self.profile.cleanup()


def hand_over(to_read, from_write):
    """Chromium reads from 3 and writes to 4; neither end may be lost when the other one moves."""
    os.dup2(to_read, 61)
    os.dup2(from_write, 62)
    os.dup2(61, 3)
    os.dup2(62, 4)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page")
    parser.add_argument("picture")
    parser.add_argument("--width", type=int, default=1200)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--clip", help="selector of the element to show")
    arguments = parser.parse_args()
    browser = Browser()
    try:
        browser.open(arguments.page, arguments.width, dark=arguments.dark)
        box = browser.evaluate(f"(({{ x, y, width, height }}) => ({{ x, y, width, height }}))"
                               f"(document.querySelector({(arguments.clip or 'html')!r}).getBoundingClientRect())")
        browser.picture(arguments.picture, box)
        print(*browser.complaints, sep="\n")
    finally:
        browser.close()


if __name__ == "__main__":
    main()
