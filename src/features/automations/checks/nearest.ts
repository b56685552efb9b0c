import { editDistance } from '../../../core/values/edit-distance.ts'

const lengthMax = 60

/** The name that a person most likely meant; undefined if none is near. */
export function nearest(given: string, names: Iterable<string>): string | undefined {
  if (given.length > lengthMax) return undefined
  const word = given.toLowerCase()
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = distanceTo(word, name.toLowerCase(), Math.min(3, Math.ceil(word.length / 3)))
    if (distance !== undefined && (!best || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

/** A name that contains the given one, such as customerId for customer, counts as near too. */
function distanceTo(word: string, name: string, most: number): number | undefined {
  const distance = editDistance(word, name, most)
  if (distance <= most) return distance
  const isPart = word.length >= 4 && name.length >= 4 && (name.includes(word) || word.includes(name))
  return isPart ? most + 1 : undefined
}

/** The sentence that suggests it, or what there is. */
export function suggestion(given: string, names: readonly string[], shown: (name: string) => string = (name) => name) {
  const name = nearest(given, names)
  if (name !== undefined) return ` Did you mean ${shown(name)}?`
  if (names.length === 0) return ''
  const listed = names.slice(0, 12).map(shown).join(', ')
  return ` There is ${listed}${names.length > 12 ? ', …' : ''}.`
}
