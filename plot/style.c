/* SPDX-License-Identifier: BSD-3-Clause */
/* The looks of figures. Colours are told apart also by those who see few of them: neighbours differ in lightness, and
 * each has its own marker. Paper is always light. */
#include "figure.h"

#define IN ".dcpn-figure "

const char dcpn_figure_style[] =
    ".dcpn-figure{font-family:system-ui,'Helvetica Neue',Arial,sans-serif;font-size:13px;fill:#1b1d21;"
    "font-variant-numeric:tabular-nums}" IN ".page{fill:#fff}" IN ".title{font-size:16px;font-weight:600}" IN
    ".tick,.dcpn-figure .label{fill:#4a4f57}" IN ".grid{stroke:#e4e6ea}" IN ".small{stroke:#f2f3f5}" IN
    ".frame{stroke:#9aa0a8;fill:none}" IN ".zero{stroke:#9aa0a8}" IN ".shade{fill:#b8860b;fill-opacity:.13}" IN
    ".edged{stroke:#b8860b;stroke-opacity:.6}" IN
    ".line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}" IN ".thin{stroke-width:1.2}" IN
    ".faint{fill:none;stroke:#8d939c;stroke-width:1;stroke-opacity:.55}" IN
    ".bar{fill:none;stroke:currentColor;stroke-width:1;stroke-opacity:.7}" IN ".dot{fill:currentColor}" IN
    ".mark{fill:currentColor;stroke:currentColor;stroke-width:1.6}" IN ".open{fill:#fff}" IN ".up{font-size:10px}" IN
    ".mark-line{fill:none;stroke:#4a4f57;stroke-width:1.2;stroke-dasharray:5 4}" IN
    ".leader{fill:none;stroke:currentColor;stroke-width:.8;stroke-opacity:.6}" IN ".name{fill:currentColor}" IN
    ".halo{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}" IN ".c0{color:#0068a8}" IN
    ".c1{color:#c8500a}" IN ".c2{color:#00835f}" IN ".c3{color:#a8327a}" IN ".c4{color:#8a6a00}" IN ".c5{color:#333}" IN
    ".c6{color:#6a50c8}"
    "@media screen and (prefers-color-scheme:dark){.dcpn-figure{fill:#e8e9ec}" IN ".page," IN ".open{fill:#15171c}" IN
    ".tick," IN ".label{fill:#b4b9c2}" IN ".grid{stroke:#30343c}" IN ".small{stroke:#22252b}" IN ".frame," IN
    ".zero{stroke:#767c86}" IN ".shade{fill:#ecd54a;fill-opacity:.13}" IN ".edged{stroke:#ecd54a}" IN
    ".faint{stroke:#8b919b}" IN ".mark-line{stroke:#b4b9c2}" IN ".halo{stroke:#15171c}" IN ".c0{color:#5cb8f0}" IN
    ".c1{color:#ff9152}" IN ".c2{color:#35cfa2}" IN ".c3{color:#f08fcb}" IN ".c4{color:#ecd54a}" IN
    ".c5{color:#f4f4f4}" IN ".c6{color:#ab9cff}}";
