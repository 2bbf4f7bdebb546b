# SPDX-License-Identifier: BSD-3-Clause
# What the pictures of the gallery are drawn with: points in space seen from a side, curves, words, axes, as SVG.
import base64
import math
import struct
import zlib

BLUE, RED, GREEN, GREY = "#3b82c4", "#d9622b", "#3d9a5f", "#8a8f98"  # seen on white and on black


def camera(azimuth, elevation):
    """Points in space to (right, up, towards the eye)."""
    ca, sa = math.cos(math.radians(azimuth)), math.sin(math.radians(azimuth))
    ce, se = math.cos(math.radians(elevation)), math.sin(math.radians(elevation))
    return lambda x, y, z: (-sa * x + ca * y, -se * (ca * x + sa * y) + ce * z, ce * (ca * x + sa * y) + se * z)


def path(points, centre, scale, colour, width=1.5, opacity=1.0):
    text = " ".join(f"{centre[0] + scale * p[0]:.1f},{centre[1] - scale * p[1]:.1f}" for p in points)
    return (f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="{width}" '
            f'stroke-opacity="{opacity:.2f}" stroke-linejoin="round"/>')


def word(x, y, text, colour=GREY, anchor="start"):
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y}" fill="{colour}" font-family="sans-serif" font-size="13"{where}>{text}</text>'


def picture(title, parts, width=480, height=400):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
            f"<title>{title}</title>\n" + "\n".join(parts) + "\n</svg>\n")


def split(points, centre, scale, colour):
    """A curve on a convex body: what is behind is faint."""
    parts, piece = [], [points[0]]
    for before, p in zip(points, points[1:]):
        piece.append(p)
        if (p[2] >= 0) != (before[2] >= 0):
            parts.append((before[2] >= 0, piece))
            piece = [p]
    parts.append((points[-1][2] >= 0, piece))
    return [path(piece, centre, scale, colour, 1.6, 1.0 if front else 0.25) for front, piece in parts if len(piece) > 1]


def ball(axes, view, centre, scale):
    """Meridians and parallels of an ellipsoid, the front half."""
    parts = []
    for k in range(-2, 3):
        s = math.radians(30 * k)
        parts.append([(math.cos(s) * math.cos(u), math.cos(s) * math.sin(u), math.sin(s)) for u in turn()])
    for k in range(6):
        s = math.radians(30 * k)
        parts.append([(math.cos(u) * math.cos(s), math.cos(u) * math.sin(s), math.sin(u)) for u in turn()])
    return [path([view(*(a * c for a, c in zip(axes, p))) for p in line], centre, scale, GREY, 0.6, 0.4) for line in parts]


def seen(points, axes, view):
    """Points on an ellipsoid to (right, up, whether on the eye's side), until the curve closes."""
    made = []
    for n, p in enumerate(points):
        normal = view(*(c / (a * a) for c, a in zip(p, axes)))
        made.append((*view(*p)[:2], normal[2]))
        if n > 20 and math.dist(p, points[0]) < math.dist(p, points[n - 1]):
            made.append(made[0])
            break
    return made


def turn(n=48):
    return [2 * math.pi * k / n for k in range(n + 1)]


def dots(points, centre, scale, colour, radius=0.9, opacity=1.0):
    """Points as one path of short strokes with round ends, which takes a few bytes a point."""
    text = "".join(f"M{centre[0] + scale * p[0]:.1f},{centre[1] - scale * p[1]:.1f}h0" for p in points)
    return (f'<path d="{text}" fill="none" stroke="{colour}" stroke-width="{2 * radius:g}" stroke-linecap="round" '
            f'stroke-opacity="{opacity:.2f}"/>')


RAMP = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))  # from low to high


def ramp(share):
    """A colour of the ramp, at 0 to 1."""
    at = min(max(share, 0), 1) * (len(RAMP) - 1)
    i = min(int(at), len(RAMP) - 2)
    return tuple(round(a + (at - i) * (b - a)) for a, b in zip(RAMP[i], RAMP[i + 1]))


def image(rows, left, top, width, height):
    """Rows of colours, the first one above, each a cell. What their last digits decide is not compared."""
    data = b"".join(b"\0" + bytes(c for colour in row for c in colour) for row in rows)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    png = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0))
           + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))
    return (f'<g class="chaotic"><image x="{left}" y="{top}" width="{width}" height="{height}" preserveAspectRatio="none" '
            f'style="image-rendering:pixelated" href="data:image/png;base64,{base64.b64encode(png).decode()}"/></g>')


def scale_bar(left, top, width, low, high, name, ticks):
    """What the colours of the ramp stand for, with ticks (value, text)."""
    parts = [image([[ramp(i / 99) for i in range(100)]], left, top, width, 10), word(left, top - 6, name)]
    return parts + [word(f"{left + width * (x - low) / (high - low):.1f}", top + 24, text, anchor="middle") for x, text in ticks]


def short(x):
    return f"{x:g}".replace("-", "\u2212")


class Axes:
    """A frame with ticks: from data to pixels."""

    def __init__(self, box, x, y, x_name, y_name, x_ticks, y_ticks):
        self.left, self.top, self.width, self.height = box
        self.x, self.y, self.names, self.ticks = x, y, (x_name, y_name), (x_ticks, y_ticks)

    def at(self, x, y):
        return (self.left + self.width * (x - self.x[0]) / (self.x[1] - self.x[0]),
                self.top + self.height * (self.y[1] - y) / (self.y[1] - self.y[0]))

    def line(self, points, colour, width=1.5, opacity=1.0):
        return path([(x, -y) for x, y in (self.at(*p) for p in points)], (0, 0), 1, colour, width, opacity)

    def dots(self, points, colour, radius=0.9, opacity=1.0):
        return dots([(x, -y) for x, y in (self.at(*p) for p in points)], (0, 0), 1, colour, radius, opacity)

    def frame(self):
        right, bottom = self.left + self.width, self.top + self.height
        parts = [f'<rect x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}" fill="none" '
                 f'stroke="{GREY}" stroke-width="0.8"/>']
        for x in self.ticks[0]:
            at = self.at(x, self.y[0])[0]
            parts += [f'<path d="M{at:.1f},{bottom}v-5" stroke="{GREY}" stroke-width="0.8"/>',
                      word(f"{at:.1f}", bottom + 17, short(x), anchor="middle")]
        for y in self.ticks[1]:
            at = self.at(self.x[0], y)[1]
            parts += [f'<path d="M{self.left},{at:.1f}h5" stroke="{GREY}" stroke-width="0.8"/>',
                      word(self.left - 6, f"{at + 4.5:.1f}", short(y), anchor="end")]
        parts.append(word(f"{(self.left + right) / 2:.1f}", bottom + 36, self.names[0], anchor="middle"))
        parts.append(word(self.left, self.top - 8, self.names[1]))
        return parts
