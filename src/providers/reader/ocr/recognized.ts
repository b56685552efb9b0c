/** A character with how sure the engine is and where its middle is, in columns of the picture that was read. */
export type Character = { text: string; confidence: number; column: number }

/**
 * The characters of the most likely path: at each step the likeliest class; repeated classes are one character, class 0 is none.
 * `keys[class - 1]` is the character; the last class is a space, which networks see too seldom: where no character is likely,
 * a chance of a quarter is enough. A step is `columns` wide.
 */
export function decode(scores: Float32Array, classes: number, keys: readonly string[], columns: number): Character[] {
  const characters: Character[] = []
  let last = 0
  let run: { from: number; to: number; best: number } | undefined
  const end = () => {
    if (!run) return
    const text = (keys[last - 1] ?? '').normalize('NFKC')
    characters.push({ text, confidence: run.best, column: ((run.from + run.to + 1) / 2) * columns })
    run = undefined
  }
  for (let step = 0; step * classes < scores.length; step++) {
    const { index: best, score } = likeliest(scores, step * classes, classes)
    const space = classes - 1
    const index = best === 0 && (scores[step * classes + space] ?? 0) >= likelySpace ? space : best
    if (index !== last) end()
    last = index
    if (index === 0) continue
    if (run) {
      run.to = step
      run.best = Math.max(run.best, score)
    } else run = { from: step, to: step, best: score }
  }
  end()
  return characters
}

/** How likely a space must be where no character is likelier. */
const likelySpace = 0.25

function likeliest(scores: Float32Array, from: number, count: number) {
  let [index, score] = [0, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < count; i++) {
    const value = scores[from + i] as number
    if (value > score) [index, score] = [i, value]
  }
  return { index, score }
}
