import { expect, test } from 'vitest'
import { afterAddress, afterTyping } from './on-the-way.ts'

const typed = (texts: string[], address: string) =>
  texts.reduce<readonly string[]>((onTheWay, text) => afterTyping(onTheWay, text, address), [])

test('a text that is typed over by the same text is not undone by the address that follows', () => {
  const onTheWay = typed(['K', 'Ko', 'Kop', 'Kopi'], 'Kopi')
  expect(afterAddress(onTheWay, 'K')).toEqual(['Ko', 'Kop', 'Kopi'])
  expect(afterAddress(onTheWay, 'Kop')).toEqual(['Kopi'])
  expect(afterAddress(onTheWay, 'Kopi')).toEqual([])
})

test('a change of the address that nobody typed replaces the text', () => {
  expect(afterAddress([], 'Golan')).toBeUndefined()
  expect(afterAddress(typed(['G', 'Go'], ''), '')).toBeUndefined()
})

test('what stands in the address already is not on the way', () => {
  expect(typed(['Kopi'], 'Kopi')).toEqual([])
})
