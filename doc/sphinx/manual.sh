#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The manual as HTML: manual.sh SOURCES OUTPUT. SOURCES is doc/ of the sources, OUTPUT doc/ of the build directory, which has
# api/Doxyfile and sphinx/conf.py from configure; the pages are then OUTPUT/html. A warning of Doxygen or Sphinx is an error.
# DOXYGEN, SPHINX, and MATHJAX, a directory, are what configure found. POLHODE is the program, which runs the gallery for its moving
# pictures; without it there are the still ones.
set -eu
sources=$1 output=$2
rm -rf "$output/xml" "$output/html" "$output/doctrees" "$output/views"
mkdir -p "$output/html/_static/mathjax"
# of MathJax what TeX-AMS_SVG loads
for part in MathJax.js config/TeX-AMS_SVG.js extensions jax/element jax/input/TeX jax/output/SVG; do
    mkdir -p "$output/html/_static/mathjax/$(dirname "$part")"
    cp -RL "$MATHJAX/$part" "$output/html/_static/mathjax/$(dirname "$part")"
done
"$DOXYGEN" "$output/api/Doxyfile"
if test -x "${POLHODE:-}"; then
    python3 "$sources/gallery/views.py" "$POLHODE" "$sources/gallery" "$sources/../examples" "$output/views"
    POLHODE_VIEWS=$output/views
    export POLHODE_VIEWS
else
    unset POLHODE_VIEWS
fi
PYTHONDONTWRITEBYTECODE=1 "$SPHINX" -q -W --keep-going -b html -c "$output/sphinx" -d "$output/doctrees" "$sources" "$output/html"
test -z "${POLHODE_VIEWS:-}" || mv "$output"/views/*.html "$output/html/gallery/"
rm -rf "$output/views"
