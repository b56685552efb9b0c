import { editDistance } from './edit-distance.ts'

const lengthMax = 60

/** The name that a person most likely meant; undefined if none is near. */
export function nearest(given: string, names: Iterable<string>): string | undefined {
  if (given.length > lengthMax) return undefined
  const word = given.toLowerCase()
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = distanceTo(word, name.toLowerCase())
    if (distance !== undefined && (!best || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

/**
 * One wrong letter in four, at most three. Two letters in the wrong order count as one. A name that begins with the given one, such as
 * customerId for customer, counts as near too; one that ends with it does not: taxAmount is only one kind of amount.
 */
function distanceTo(word: string, name: string): number | undefined {
  const most = word.length < 3 ? 0 : Math.min(3, Math.max(1, Math.floor(word.length / 4)))
  const distance = editDistance(word, name, Math.max(2, most))
  if (distance <= most) return distance
  if (distance === 2 && word.length > 3 && lettersOf(word) === lettersOf(name)) return most
  const isBeginning = word.length >= 4 && name.length >= 4 && (name.startsWith(word) || word.startsWith(name))
  return isBeginning ? most + 1 : undefined
}

const lettersOf = (word: string) => [...word].sort().join('')

/** The sentence that suggests it, or what there is. */
export function suggestion(given: string, names: readonly string[], shown: (name: string) => string = (name) => name) {
  const name = nearest(given, names)
  if (name !== undefined) return ` Did you mean ${shown(name)}?`
  if (names.length === 0) return ''
  const listed = names.slice(0, 12).map(shown).join(', ')
  return ` There is ${listed}${names.length > 12 ? ', …' : ''}.`
}
