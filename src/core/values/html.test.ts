import { expect, test } from 'vitest'
import { html } from './html.ts'

test('interpolated text is escaped', () => {
  expect(html`<a title="${'"><script>'}">${"<b>'&"}</a>`.text).toBe(
    '<a title="&quot;&gt;&lt;script&gt;">&lt;b&gt;&#39;&amp;</a>',
  )
})

test('markup, lists and empty values can be interpolated', () => {
  const items = ['a', 'b'].map((item) => html`<li>${item}</li>`)
  expect(html`<ul>${items}${null}${false}${undefined}${0}</ul>`.text).toBe('<ul><li>a</li><li>b</li>0</ul>')
})
