import { expect, test } from 'vitest'
import { toPostalAddress } from './address.ts'

test.each([
  ['71 Ayer Rajah Crescent, #05-14, Singapore 139951', 'SG', ['71 Ayer Rajah Crescent, #05-14'], 'Singapore', '139951', null],
  ['1 Orchard Road, #05-12\nSingapore (238801)', 'SG', ['1 Orchard Road, #05-12'], 'Singapore', '238801', null],
  ['208 W Main St, Madison, WI 53703', 'US', ['208 W Main St'], 'Madison', '53703', 'WI'],
  ['4120 Freidrich Lane\nAustin, TX 78744-1234', 'US', ['4120 Freidrich Lane'], 'Austin', '78744-1234', 'TX'],
  ['12345 Broadway', 'US', ['12345 Broadway'], null, null, null],
  ['1 Orchard Road Singapore 238801', 'SG', ['1 Orchard Road Singapore'], null, '238801', null],
  ['238801', 'SG', ['238801'], null, null, null],
  ['שדרות רוטשילד 45\nתל אביב 6688312', 'IL', ['שדרות רוטשילד 45'], 'תל אביב', '6688312', null],
  ['12 HaGalil St, Rosh Pina', 'IL', ['12 HaGalil St, Rosh Pina'], null, null, null],
  ['17 rue des Martyrs, 75009 Paris', 'FR', ['17 rue des Martyrs'], 'Paris', '75009', null],
  ['10 Downing St, London SW1A 2AA', 'GB', ['10 Downing St'], 'London', 'SW1A 2AA', null],
  ['a\nb\nc\nd', 'SG', ['a', 'b', 'c, d'], null, null, null],
  [null, 'SG', [], null, null, null],
])('%j in %s', (text, country, lines, city, postcode, subdivision) => {
  expect(toPostalAddress(text, country)).toEqual({ lines, city, postcode, subdivision, country })
}) // biome-ignore format: a table
