type Point = readonly [x: number, y: number]

/** Where the corners of the paper are in the picture: from the top left one clockwise. */
export type Corners = readonly [Point, Point, Point, Point]

/**
 * From a place in the picture to the place on the paper, in fractions of its sides. The projection of a unit square onto four
 * corners (Heckbert, Fundamentals of Texture Mapping, 1989) is inverted.
 */
export function fromPaper([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]: Corners): (x: number, y: number) => Point {
  const [dx1, dx2, sumX] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3]
  const [dy1, dy2, sumY] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3]
  const area = dx1 * dy2 - dx2 * dy1
  const g = (sumX * dy2 - dx2 * sumY) / area
  const h = (dx1 * sumY - sumX * dy1) / area
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0]
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0]
  // The adjugate of [[a, b, c], [d, e, f], [g, h, 1]]; its scale cancels out.
  const inverse = [e - f * h, c * h - b, b * f - c * e, f * g - d, a - c * g, c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d] as const // biome-ignore format: a matrix
  return (x, y) => {
    const depth = inverse[6] * x + inverse[7] * y + inverse[8]
    return [
      (inverse[0] * x + inverse[1] * y + inverse[2]) / depth,
      (inverse[3] * x + inverse[4] * y + inverse[5]) / depth,
    ]
  }
}
