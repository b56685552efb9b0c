import { expect, test } from 'vitest'
import { webSizes } from '../../scripts/web-sizes.mjs'
import { builtWebApp, metafileIn } from '../../src/test/web-app.ts'

test('every screen, the style and the fonts are as small as they must be', async () => {
  const folder = await builtWebApp()
  const sizes = webSizes(metafileIn(folder), folder)
  expect(sizes.length).toBeGreaterThan(10)
  expect(sizes.filter(({ kB, limit }) => kB === 0 || kB > limit)).toEqual([])
})
