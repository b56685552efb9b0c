import { expect, test } from 'vitest'
import { readChoice } from '../../features/work/companion/assistant/choices.ts'
import { namedIn, replaceAt } from '../../features/work/companion/assistant/named.ts'
import { fitOf, fitOfWords } from './names.ts'

test.each([
  ['Globex', 'Globex Pte Ltd', 'same'],
  ['globex ltd.', 'GLOBEX', 'same'],
  ['כהן ובניו', 'כהן ובניו בע״מ', 'same'],
  ['כהן ובניו בע"מ', "כהן ובניו בע''מ", 'same'],
  ['Café Noir', 'Cafe Noir', 'same'],
  ['Cohen', 'Cohen & Sons', 'part'],
  ['Globx', 'Globex', 'close'],
  ['Intech', 'Initech', 'close'],
  ['Acme', 'Acne', 'close'],
  ['IBM', 'ICM', 'near'],
  ['walnut boards', 'Walnut board', 'part'],
  ['חברת חשמל', 'חברת החשמל', 'part'],
  ['Glo\u200bbex', 'Globex', 'same'],
  ['הוטל קרמל ויו', 'Hotel Carmel View', 'close'],
  ['ברלין בין', 'Berlin Bean Import GmbH', 'close'],
  ['Michal Dayan', 'מיכל דיין', 'close'],
  ['hanamal', 'מסעדת הנמל', 'close'],
  ['נועה', 'Globex', 'other'],
  ['Hooli', 'Globex', 'other'],
  ['', 'Globex', 'other'],
] as const)('%s and %s: %s', (words, name, fit) => {
  expect(fitOf(words, name)).toBe(fit)
})

test.each([
  ['לון ים כנרת', 'מלון ים כנרת', 'part'],
  ['מלון ים כנרת', 'מלון ים כנרת', 'same'],
  ['לגלובקס', 'גלובקס', 'same'],
] as const)('with a letter before the word, %s and %s: %s', (words, name, fit) => {
  expect(fitOfWords(words, name)).toBe(fit)
})

const choices = ['Globex Asia', 'Globex Europe', 'Globex 3'].map((name, at) => ({
  kind: 'customer' as const,
  id: `${at + 1}`,
  name,
}))

test.each([
  ['2', '2'],
  ['the second one', '2'],
  ['the 2nd please', '2'],
  ['last', '3'],
  ['השנייה', '2'],
  ['את הראשון', '1'],
  ['מספר 3', '3'],
  ['Globex Europe', '2'],
  ['I mean globex asia', '1'],
  ['who owes me money?', undefined],
  ['7', undefined],
])('the answer %s to "which one?" means %s', (text, id) => {
  expect(readChoice(text, choices)?.id).toBe(id)
})

test('names are found and replaced anywhere in an input', () => {
  const named = { $named: 'customer' as const, words: 'Globex' }
  const input = { status: 'SENT', blocks: [{ config: { id: named } }] }
  expect(namedIn(input)).toEqual([{ path: ['blocks', 0, 'config', 'id'], named }])
  expect(replaceAt(input, ['blocks', 0, 'config', 'id'], 'c1')).toEqual({
    status: 'SENT',
    blocks: [{ config: { id: 'c1' } }],
  })
})
