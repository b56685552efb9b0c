/** How a name sounds, the same in Hebrew and in Latin letters: only consonants, and one letter for those that are written alike. */

const hebrew: Readonly<Record<string, string>> = {
  א: '', ב: 'b', ג: 'g', ד: 'd', ה: '', ו: '', ז: 'z', ח: 'x', ט: 't', י: '', כ: 'k', ך: 'k', ל: 'l', מ: 'm', ם: 'm', נ: 'n', ן: 'n', ס: 's',
  ע: '', פ: 'p', ף: 'p', צ: 's', ץ: 's', ק: 'k', ר: 'r', ש: 's', ת: 't',
} // biome-ignore format: a table

const latin: Readonly<Record<string, string>> = {
  b: 'b', c: 'k', d: 'd', f: 'p', g: 'g', j: 'g', k: 'k', l: 'l', m: 'm', n: 'n', p: 'p', q: 'k', r: 'r', s: 's', t: 't', v: 'b', X: 'x', x: 'ks', z: 'z',
} // biome-ignore format: a table

/** Letters that are written for one sound. */
const together: readonly (readonly [RegExp, string])[] = [
  [/sch|sh|tz|ts/g, 's'],
  [/kh|ch(?=[aeiou])/g, 'X'],
  [/th/g, 't'],
  [/ph/g, 'p'],
  [/ck|ch/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/qu/g, 'k'],
]

const isHebrewName = (text: string): boolean => /[א-ת]/.test(text)

/** `krml` for Carmel and for קרמל. The sound of ח is written as ch, kh or h, so a word with it has two. */
function soundsOf(word: string): string[] {
  const letters = isHebrewName(word)
    ? [...word.replace(/וו/g, 'ב')].map((letter) => hebrew[letter] ?? '')
    : [...together.reduce((text, [from, to]) => text.replace(from, to), word.toLowerCase())].map(
        (letter) => latin[letter] ?? '',
      )
  const sound = letters.join('')
  const sounds = sound.includes('x') ? [sound.replaceAll('x', 'k'), sound.replaceAll('x', '')] : [sound]
  return sounds.map((each) => each.replace(/(.)\1+/g, '$1'))
}

/**
 * Whether the words of a person in one kind of letters can be the name in the other kind: every word sounds like one of the
 * name, or like its beginning, and at least one of them says enough.
 */
export function soundsLike(words: string, name: string): boolean {
  if (isHebrewName(words) === isHebrewName(name)) return false
  const parts = name.split(' ').flatMap(soundsOf)
  const wanted = words
    .split(' ')
    .map(soundsOf)
    .filter((sounds) => sounds.some(Boolean))
  const fits = (sound: string) => parts.some((part) => part === sound || (sound.length >= 2 && part.startsWith(sound)))
  return (
    wanted.length > 0 && wanted.every((sounds) => sounds.some(fits)) && wanted.some(([sound = '']) => sound.length >= 3)
  )
}
