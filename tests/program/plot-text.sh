#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# polhode plot --terminal: pictures of characters, with the names of several runs, by the terminals that a gnuplot has.
set -eu
. "${top_srcdir:=.}/tests/kit/kit.sh"
need_program
# shellcheck source=tests/kit/plots.sh
. "$top_srcdir/tests/kit/plots.sh"

COLUMNS=72 expect 0 "$polhode" plot $archive --terminal --figure energy
says out "1e-4" "time t [s]"
awk 'length > 300 { exit 1 } /energy error at most/ { said = 1 } END { exit !said }' out || fail "a picture in text"

# several runs as text: a digit at the end of each curve, whose it is below the picture, nothing wider than the terminal
mkdir -p "a folder with a long name" && cp classic/double.polhode "a folder with a long name/a run.polhode"
for columns in 80 120; do
    COLUMNS=$columns expect 0 "$polhode" plot $archive classic $archive "a folder with a long name" --terminal --figure energy --quiet
    for i in 1 2 3 4; do
        grep -Eq "[|] *$i *\$" out || fail "$columns columns: no digit $i at the end of a curve"
        grep -Eq "^ $i [*#\$%]{3} (rk4|variational), order" out || fail "$columns columns: no name of curve $i"
    done
    says out "energy error, relative" "time t [s]" "a run.polhode"
    test "$(tr -d '\014' < out | wc -c)" -eq "$(wc -c < out)" || fail "there is a form feed in the picture"
    awk -v most=$columns 'length > most { exit 1 }' out || fail "a line is wider than $columns columns"
    test "$(tr -d '\000-\177' < out | wc -c)" -eq 0 || fail "a picture by dumb is not in ASCII"
done
if test -n "$python"; then
    cp classic/double.polhode made.polhode
    $python "$top_srcdir/tests/program/grow.py" made.polhode walk
    COLUMNS=80 expect 0 "$polhode" plot made.polhode --terminal --figure energy --quiet
    says out "sqrt(t)"
fi
COLUMNS=80 expect 0 "$polhode" plot $archive classic --terminal --figure phase --quiet
grep -q '^[^|]*|.*[12].*|' out || fail "no digit where a path ends"
expect 2 "$polhode" plot $archive --terminal --terminal-type ansi
says err "unknown type of terminal 'ansi': dumb, block"
expect 2 "$polhode" plot $archive --terminal-type dumb
# a gnuplot that has the terminal block, and one that has not
mkdir new old
real=$(command -v gnuplot)
cat > new/gnuplot << 'END'
#!/bin/sh
cat > "$SCRIPT"
echo "a picture in blocks"
END
cat > old/gnuplot << END
#!/bin/sh
cat > "\$SCRIPT"
grep -q 'set terminal block' "\$SCRIPT" && exit 1
exec "$real" -d "\$SCRIPT"
END
chmod +x new/gnuplot old/gnuplot
SCRIPT=$dir/script
export SCRIPT
expect 0 env LC_ALL=C.UTF-8 PATH="$dir/new:$PATH" "$polhode" plot $archive --terminal --figure energy
says out "a picture in blocks"
says script "set terminal block braille size"
expect 0 env LC_ALL=C.UTF-8 PATH="$dir/new:$PATH" "$polhode" plot $archive classic --terminal --figure energy
says out "a picture in blocks" " 1 variational, order" " 2 rk4, order"
says script "set label '1' at character" "set label '2' at character"
expect 0 env LC_ALL=C PATH="$dir/new:$PATH" "$polhode" plot $archive --terminal --figure energy
says script "set terminal dumb size"
expect 0 env LC_ALL=C.UTF-8 PATH="$dir/old:$PATH" "$polhode" plot $archive --terminal --figure energy
says out "1e-4" "time t [s]"
says script "set terminal dumb size"
expect 3 env PATH="$dir/old:$PATH" "$polhode" plot $archive --terminal --terminal-type block --figure energy
says err "takes gnuplot 6"
