import { expect, test } from 'vitest'
import { html } from '../../core/values/html.ts'
import { withCode } from './prose.ts'

test('words in backticks become code and stay escaped', () => {
  expect(html`${withCode('Send `<x>` & go.')}`.text).toBe('Send <code>&lt;x&gt;</code> &amp; go.')
})
