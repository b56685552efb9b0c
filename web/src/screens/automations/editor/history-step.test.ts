import { expect, test } from 'vitest'
import { historyStep } from './history-step.ts'

const start = { past: [], now: 'a', future: [], tag: '', at: 0 }
const change = (to: string, tag = '', at = 0) => ({ do: 'change' as const, to, tag, at })

test('what was changed is undone and redone', () => {
  const changed = [change('b'), change('c'), { do: 'undo' as const }].reduce(historyStep<string>, start)
  expect(changed.now).toBe('b')
  expect(historyStep(changed, { do: 'redo' }).now).toBe('c')
  expect(historyStep(historyStep(changed, { do: 'undo' }), { do: 'undo' }).now).toBe('a')
})

test('letters typed at once are undone together, later ones apart', () => {
  const typed = [change('ab', 'name', 100), change('abc', 'name', 300), change('abcd', 'name', 5000)]
  const all = typed.reduce(historyStep<string>, start)
  expect(all.past).toEqual(['a', 'abc'])
})

test('a new change ends what could be redone', () => {
  const changed = [change('b'), { do: 'undo' as const }, change('x')].reduce(historyStep<string>, start)
  expect(changed.future).toEqual([])
})
