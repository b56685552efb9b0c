import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** Classes that name a side of the screen: in Hebrew they would be on the wrong one. */
const sided = /(?<![\w-])-?(?:(?:scroll-)?[mp][lr]|left|right|border-[lr]|rounded-(?:[lr]|[tb][lr]))-[\w[(./-]+/g
const turned = /(?<![\w-])(?:text|float|clear)-(?:left|right)(?![\w-])/g

const sidedIn = (text: string) => [...text.matchAll(sided), ...text.matchAll(turned)].map(([found]) => found)

test.each([
  'ml-2',
  'md:pr-4',
  '-left-px',
  'hover:right-0',
  'text-left',
  'max-sm:text-right',
  'border-l-2',
  'rounded-tr-md',
])('%s names a side of the screen', (name) => expect(sidedIn(`className="flex ${name} gap-2"`)).toHaveLength(1))

test.each(['ms-2', 'pe-4', 'start-0', 'text-start', 'html-to', 'copyright-2026', 'border-rule', 'rounded-md'])(
  '%s names none',
  (name) => expect(sidedIn(`className="flex ${name} gap-2"`)).toEqual([]),
)

const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))

test('what scrolls sideways holds all that is in it, also what only screen readers see, which would widen the page', () => {
  const scrolling = /className="([^"]*overflow-x-auto[^"]*)"/g
  const loose = files.flatMap((file) =>
    [...readFileSync(sources + file, 'utf8').matchAll(scrolling)]
      .filter(
        ([, names = '']) => !/(?<![\w-])relative(?![\w-])/.test(names) && !/scrollbar-width|font-mono/.test(names),
      )
      .map(([, names]) => `${file}: ${names}`),
  )
  expect(loose).toEqual([])
})

test('no class of the web app names the left or the right side, so that every screen turns around in Hebrew', () => {
  expect(files.length).toBeGreaterThan(50)
  const found = files.flatMap((file) => sidedIn(readFileSync(sources + file, 'utf8')).map((name) => `${file}: ${name}`))
  expect(found).toEqual([])
})
