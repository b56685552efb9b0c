import { expect, test } from 'vitest'
import { nameOf } from './vendor.ts'

test.each([
  ['BRIGHT LANE TRADING SDN BHD (123456-X)', 'BRIGHT LANE TRADING SDN BHD'],
  ['BRIGHT LANE SDN BHU', 'BRIGHT LANE SDN BHD'],
  ['Bright Lane Pte Ltd UEN 201403121W', 'Bright Lane Pte Ltd'],
  ['BRIGHT LANE MART 5/8', 'BRIGHT LANE MART S/B'],
  ['** Bright Lane **', 'Bright Lane'],
  ['GREEN F0OD', 'GREEN FOOD'],
  ['Cafe (Harbour)', 'Cafe (Harbour)'],
  ['הגליל בע"מ ח.פ. 515738755', 'הגליל בע"מ'],
  ['7 Stars', '7 Stars'],
])('the name in %j is %j', (text, name) => {
  expect(nameOf(text)).toBe(name)
})
