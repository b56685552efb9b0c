/** The style of all pages: one accent colour, serif headings, light and dark; the colors are those of the web app (web/src/app.css). */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --tint: #f5f2ea; --ink: #1d1b17; --soft: #625d53; --rule: #e7e2d7;
  --accent: #0f6b57; --on-accent: #ffffff; --wash: #e6f1ec; --danger: #a8321d; --string: #0f6b57; --number: #8a5a00;
  --serif: var(--latin);
  --latin: "Kontor Book", "Iowan Old Style", "Palatino Nova", "Palatino Linotype", Palatino, "Noto Serif", "Liberation Serif", Georgia, serif;
  --sans: "Kontor Sans", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
:root:lang(he) { --serif: "Kontor Book", "Frank Ruehl CLM", "Noto Serif Hebrew", "Times New Roman", serif; }
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131210; --card: #1a1916; --tint: #201e1a; --ink: #ece8df; --soft: #a9a294; --rule: #302d27;
    --accent: #6fcbb0; --on-accent: #08201a; --wash: #17302a; --danger: #f3998a; --string: #8ad6be; --number: #e0b667;
  }
}

*, *::before, *::after { box-sizing: border-box; }
[hidden], .aside { display: none !important; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 5rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.65 var(--sans); text-rendering: optimizeLegibility; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; text-wrap: balance; margin: 0; }
p { margin: 0 0 1.1em; text-wrap: pretty; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, kbd, pre { font-family: var(--mono); font-size: .875em; }
p code, li code, dd code { background: var(--tint); border-radius: 4px; padding: .1em .32em; overflow-wrap: anywhere; }
a > code { background: none; padding: 0; }
.away { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: 1rem; inset-block-start: -4rem; z-index: 3; background: var(--accent); color: var(--on-accent); padding: .6rem 1rem; border-radius: 6px; }
.skip:focus { inset-block-start: .6rem; }
.eyebrow { margin: 0 0 .5rem; color: var(--soft); font-size: .8125rem; letter-spacing: .06em; }
.lead { font-size: 1.1875rem; line-height: 1.6; color: var(--soft); max-inline-size: 40rem; }

.bar { position: sticky; inset-block-start: 0; z-index: 2; display: flex; align-items: center; gap: 1rem; block-size: 3.75rem; padding-inline: clamp(1.1rem, 3vw, 2.5rem); background: var(--paper); border-block-end: 1px solid var(--rule); }
.mark { display: flex; align-items: center; gap: .6rem; color: var(--ink); font: 600 1.3rem/1 var(--latin); text-decoration: none; }
.mark img { display: block; }
.bar-title { color: var(--soft); padding-inline-start: 1rem; border-inline-start: 1px solid var(--rule); font-size: .9375rem; }
.bar-links { display: flex; gap: 1.5rem; margin-inline-start: auto; font-size: .9375rem; }
.bar-links a { color: var(--ink); text-decoration: none; }
.bar-links a:hover { color: var(--accent); text-decoration: underline; }

/* the reference */
.shell { display: grid; grid-template-columns: 18.5rem minmax(0, 1fr); }
.side { position: sticky; inset-block-start: 3.75rem; block-size: calc(100vh - 3.75rem); overflow-y: auto; overscroll-behavior: contain; border-inline-end: 1px solid var(--rule); padding: 0 1.1rem 3rem clamp(1.1rem, 3vw, 2.5rem); scroll-padding-block: 6rem 4rem; font-size: .9375rem; scrollbar-width: thin; scrollbar-color: var(--rule) transparent; }
.menu > summary { display: none; }
.side h2 { font: 600 .9375rem/1.4 var(--sans); margin: 1.7rem 0 .45rem; }
.side h2 a { color: inherit; text-decoration: none; }
.side ul { list-style: none; margin: 0; padding: 0; }
.side li a { display: block; padding: .22rem .6rem; margin-inline-start: -.6rem; border-radius: 5px; color: var(--soft); text-decoration: none; line-height: 1.45; }
.side li a.to-operation { display: grid; grid-template-columns: 3rem 1fr; align-items: baseline; font: .78125rem/1.5 var(--mono); }
.side li a:hover { color: var(--ink); background: var(--tint); }
.side a[aria-current] { color: var(--accent); background: var(--wash); }
.side h2 a[aria-current] { background: none; }
.nothing { color: var(--soft); margin-block: 1.5rem; }
.filter { position: sticky; inset-block-start: 0; z-index: 1; display: block; padding-block: 1.5rem .8rem; margin-block-end: -.4rem; background: var(--paper); }
.filter input { inline-size: 100%; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--rule); border-radius: 7px; padding: .5rem .75rem; }
.filter kbd { position: absolute; inset-inline-end: .6rem; inset-block-start: 2.15rem; color: var(--soft); border: 1px solid var(--rule); border-radius: 4px; padding: 0 .4rem; font-size: .75rem; line-height: 1.5; background: var(--paper); }
.filter input:focus ~ kbd { visibility: hidden; }

main#content { padding: 3.5rem clamp(1.1rem, 4vw, 4.5rem) 6rem; max-inline-size: 84rem; min-inline-size: 0; }
.title { margin-block-end: 4rem; }
.title h1 { font-size: clamp(2.4rem, 5vw, 3.5rem); letter-spacing: -.015em; margin-block-end: 1rem; }
.chapter > p, .chapter > dl, .chapter > table.plain, .chapter > figure { max-inline-size: 44rem; }
.chapter { padding-block: 0 3.2rem; }
.chapter > h2, .feature-head h2 { font-size: 1.75rem; margin-block-end: .9rem; }
main h2 a, main h3 a { color: inherit; text-decoration: none; }
main h2 a:hover, main h3 a:hover { text-decoration: underline; text-decoration-color: var(--accent); }
.feature { margin-block-start: 3rem; }
.feature-head { border-block-start: 4px double var(--ink); padding-block: 1.6rem 1rem; }
.feature-head h2 { font-size: clamp(2rem, 4vw, 2.5rem); letter-spacing: -.01em; margin-block-end: .5rem; }
.shape { max-inline-size: 52rem; margin-block-end: 2.5rem; }

.operation { padding-block: 2.6rem 3.2rem; border-block-start: 1px solid var(--rule); }
.address { display: flex; align-items: center; gap: .75rem; margin: 0 0 .8rem; }
.address > code { font-size: 1rem; background: none; padding: 0; }
var { font-style: normal; color: var(--accent); }
.method { flex: none; font: 600 .75rem/1.6 var(--mono); letter-spacing: .04em; }
.address .method { padding: .1rem .55rem; border-radius: 5px; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
.address .method.get { background: transparent; color: var(--accent); }
.address .method.delete { background: transparent; border-color: var(--danger); color: var(--danger); }
.to-operation .method { font-size: .6875rem; color: var(--accent); }
.to-operation .method.get { color: var(--soft); }
.to-operation .method.delete { color: var(--danger); }
.operation h3 { font-size: 1.5rem; line-height: 1.32; font-weight: 500; max-inline-size: 38rem; margin-block-end: 1rem; }
.chips { display: flex; flex-wrap: wrap; gap: .45rem 1.6rem; list-style: none; margin: 0 0 1.8rem; padding: 0; font-size: .875rem; }
.chips span, .may-fail span, .answer span { color: var(--soft); margin-inline-end: .25rem; }
.chips code { background: var(--tint); color: var(--ink); padding: .12em .45em; border-radius: 4px; }
.columns { display: grid; gap: 1.5rem 3rem; }
@media (min-width: 80rem) { .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 28rem); align-items: start; } .examples { position: sticky; inset-block-start: 5rem; } }
.columns > * { min-inline-size: 0; }

table { inline-size: 100%; border-collapse: collapse; font-size: .9375rem; line-height: 1.5; margin: 0 0 1.8rem; }
caption { text-align: start; font: 600 1.0625rem/1.4 var(--serif); padding-block-end: .5rem; }
.shape caption { font: 600 1.0625rem/1.4 var(--mono); }
thead th { font-weight: 400; font-size: .8125rem; color: var(--soft); text-align: start; padding: 0 1.2rem .35rem 0; border-block-end: 1px solid var(--ink); }
tbody th, tbody td { text-align: start; vertical-align: top; font-weight: 400; padding: .6rem 1.2rem .6rem 0; border-block-end: 1px solid var(--rule); }
tbody th { overflow-wrap: anywhere; }
.fields thead th:nth-child(1) { inline-size: 34%; }
.fields thead th:nth-child(2) { inline-size: 24%; }
.fields th[scope=row] > code { font-weight: 600; color: var(--ink); }
.fields .d1 th { padding-inline-start: 1.1rem; } .fields .d2 th { padding-inline-start: 2.2rem; } .fields .d3 th { padding-inline-start: 3.3rem; }
.fields .d1 th > code, .fields .d2 th > code, .fields .d3 th > code { font-weight: 400; }
.required { color: var(--accent); font-size: .8125rem; margin-inline-start: .35rem; }
.group th { padding-block: 1rem .35rem; color: var(--soft); font-size: .875rem; }
tbody:first-of-type .group th { padding-block-start: .6rem; }
.type { color: var(--soft); overflow-wrap: anywhere; }
.meaning:empty::before { content: "\\2002"; }
.limits { list-style: none; margin: .1rem 0 0; padding: 0; color: var(--soft); font-size: .875rem; }
.limits code { overflow-wrap: anywhere; }
.none, .answer, .may-fail { font-size: .9375rem; }
.none { color: var(--soft); }
.may-fail a { font-family: var(--mono); font-size: .875rem; margin-inline-end: .35rem; }
.plain th { white-space: nowrap; overflow-wrap: normal; }
.terms { display: grid; grid-template-columns: 12rem 1fr; margin: 0; }
.terms dt { font-weight: 600; padding-block: .6rem; border-block-end: 1px solid var(--rule); }
.terms dd { margin: 0; padding-block: .6rem; border-block-end: 1px solid var(--rule); }

.code { margin: 0 0 1.4rem; background: var(--tint); border-radius: 9px; overflow: hidden; }
.code figcaption { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding: .5rem 1rem 0; min-block-size: 2.1rem; font-size: .8125rem; color: var(--soft); }
.code pre { margin: 0; padding: .45rem 1rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .84375rem; line-height: 1.65; tab-size: 2; text-align: left; }
.code pre code { font-size: inherit; background: none; padding: 0; }
.code button { font: inherit; color: var(--soft); background: none; border: 0; padding: .1rem .3rem; border-radius: 4px; cursor: pointer; }
.code button:hover { color: var(--accent); }
i.s { font-style: normal; color: var(--string); }
i.n { font-style: normal; color: var(--number); }
.foot { color: var(--soft); font-size: .875rem; border-block-start: 4px double var(--rule); padding-block-start: 1.2rem; margin-block-start: 4rem; }

/* the landing page */
.front { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 23rem); gap: 4.5rem clamp(2rem, 6vw, 6rem); max-inline-size: 74rem; margin-inline: auto; padding: clamp(3rem, 8vw, 6.5rem) clamp(1.1rem, 3vw, 2.5rem) 0; align-items: start; }
.hero h1 { font-size: clamp(2.5rem, 5.4vw, 4.1rem); line-height: 1.1; letter-spacing: -.02em; margin-block-end: 1.6rem; padding-block-end: 1.7rem; border-block-end: 5px double var(--accent); }
:lang(he) .hero h1 { letter-spacing: 0; line-height: 1.18; }
.landing .foot { max-inline-size: 69rem; margin: 5rem auto 3rem; padding-inline: 0; }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 14px; padding: 1.8rem; box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px -16px rgb(0 0 0 / .14); }
.card h2 { font-size: 1.5rem; margin-block-end: 1.1rem; }
.card h3 { font: 600 .9375rem/1.4 var(--sans); margin-block: 1.4rem .4rem; }
.card label { display: block; font-size: .9375rem; margin-block-end: 1rem; }
.card input { display: block; inline-size: 100%; margin-block-start: .3rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid color-mix(in srgb, var(--soft) 60%, var(--rule)); border-radius: 8px; padding: .6rem .8rem; }
.card input:focus { outline: 3px solid var(--accent); outline-offset: -1px; border-color: transparent; }
.card button { inline-size: 100%; font: 600 1rem/1.4 var(--sans); color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; padding: .7rem 1rem; cursor: pointer; }
.card button:hover { filter: brightness(1.08); }
.card button:disabled { opacity: .6; cursor: progress; }
.card button.quiet { color: var(--accent); background: none; margin-block-start: 1.4rem; }
.card summary { cursor: pointer; color: var(--accent); font-size: .9375rem; margin-block-end: .8rem; border-radius: 4px; }
.sign-up { margin-block-start: 1.4rem; border-block-start: 1px solid var(--rule); padding-block-start: 1.1rem; }
/* Whoever makes an account sees one form, and its button without scrolling. */
.signed-out:has(.sign-up[open]) > :is(h2, form, .more) { display: none; }
.sign-up[open] { margin-block-start: 0; border-block-start: 0; padding-block-start: 0; }
.sign-up:not([open]) summary { margin-block-end: 0; }
.hint { color: var(--soft); font-size: .875rem; margin-block: -.5rem 1rem; }
.hint.demo { margin-block: 1.1rem 0; padding-block-start: 1rem; border-block-start: 1px solid var(--rule); }
.alone { max-inline-size: 34rem; margin: clamp(1.5rem, 6vw, 4rem) auto; padding-inline: 1.1rem; }
.consent fieldset { border: 1px solid var(--rule); border-radius: 8px; margin: 1.4rem 0; padding: .6rem 1rem; }
.consent legend { font-size: .9375rem; font-weight: 600; padding-inline: .4rem; }
.card .consent label { display: flex; gap: .6rem; align-items: baseline; margin-block: .5rem; }
.card .consent input { inline-size: auto; margin: 0; }
.consent label span { color: var(--soft); font-size: .8125rem; margin-inline-start: auto; }
.alone .hint { margin-block: .8rem; }
.alone h2 { font: 600 .9375rem/1.4 var(--sans); margin-block: 1.4rem .4rem; }
.signed-in-as { margin-block: 1.6rem 0; padding-block-start: 1.1rem; border-block-start: 1px solid var(--rule); font-size: .9375rem; overflow-wrap: anywhere; }
.consent button + button.quiet { margin-block-start: .8rem; }
.problem, .notice { color: var(--danger); font-size: .9375rem; margin-block-end: 1rem; }
.whose { color: var(--soft); margin: -.8rem 0 0; text-align: start; }
:dir(rtl) > .whose { text-align: right; }
.belongs { list-style: none; margin: 0; padding: 0; font-size: .9375rem; }
.belongs li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding-block: .55rem; border-block-start: 1px solid var(--rule); }
.belongs span { color: var(--soft); font-size: .875rem; }
.addresses, .quick { grid-column: 1 / -1; }
.front > section > h2 { font-size: 1.75rem; margin-block-end: 1rem; }
.card > div > h2 { font-size: 1.5rem; }
.addresses dl { margin: 0; border-block-start: 1px solid var(--ink); }
.addresses dl > div { display: grid; grid-template-columns: minmax(8rem, 12rem) 1fr; gap: .2rem 1.5rem; padding-block: .8rem; border-block-end: 1px solid var(--rule); }
.addresses dt { font-weight: 600; }
.addresses dd { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .1rem 1.5rem; margin: 0; }
.addresses dd > :first-child { font: .9375rem/1.75 var(--mono); background: none; padding: 0; overflow-wrap: anywhere; }
.addresses dd span { color: var(--soft); }
.quick ol { list-style: none; margin: 1.4rem 0 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.4rem; counter-reset: step; }
.quick li { min-inline-size: 0; display: grid; counter-increment: step; }
.quick .code { margin: 0; }
.quick figcaption { justify-content: start; gap: .7rem; font-size: 1rem; color: var(--ink); padding-block-start: .8rem; }
.quick figcaption::before { content: counter(step); font: 600 1.25rem/1 var(--serif); color: var(--accent); }

@media (max-width: 56rem) {
  body { font-size: 1rem; }
  .shell { grid-template-columns: minmax(0, 1fr); }
  .side { position: static; block-size: auto; border-inline-end: 0; border-block-end: 1px solid var(--rule); padding: .9rem 1.1rem; }
  .menu > summary { display: list-item; cursor: pointer; font-weight: 600; padding-block: .2rem; }
  .menu[open] > summary { margin-block-end: .4rem; }
  .filter { padding-block-start: .6rem; }
  .filter kbd { display: none; }
  .side li a { padding-block: .4rem; }
  main#content { padding-block-start: 2.2rem; }
  .bar-title { display: none; }
  .front { grid-template-columns: minmax(0, 1fr); gap: 3rem; }
  .landing .foot { margin-inline: 1.1rem; }
}
@media (max-width: 40rem) {
  .fields thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .fields, .fields tbody, .fields caption { display: block; }
  .fields tbody { border-block-start: 1px solid var(--ink); }
  .fields tr { display: block; padding-block: .65rem; border-block-end: 1px solid var(--rule); }
  .fields tr.d1 { padding-inline-start: 1rem; } .fields tr.d2 { padding-inline-start: 2rem; } .fields tr.d3 { padding-inline-start: 3rem; }
  .fields tbody th, .fields tbody td { display: inline; padding: 0; border: 0; }
  .fields .type::before { content: "\\2002"; }
  .fields .meaning { display: block; }
  .fields .meaning:empty { display: none; }
  .address { flex-wrap: wrap; }
  .operation h3 { font-size: 1.3125rem; }
  .code pre { font-size: .78125rem; }
  .terms { grid-template-columns: 1fr; }
  .terms dt { border: 0; padding-block-end: 0; } .terms dd { padding-block-start: 0; }
  .addresses dl > div { grid-template-columns: 1fr; }
  .card { padding: 1.3rem; }
}
@media print {
  :root { --paper: #fff; --card: #fff; --tint: #f6f4ee; --ink: #000; --soft: #444; --rule: #ccc; --accent: #0f6b57; --danger: #a23420; --string: #0f6b57; --number: #6b4600; }
  html { font-size: 11px; }
  body { font-size: 1rem; }
  .address .method { background: none; color: var(--accent); }
  .address .method.delete { color: var(--danger); }
  .code { border: 1px solid var(--rule); }
  .code, .chips code { break-inside: avoid; }
  .side, .bar, .skip, .code button, .card, .bar-links { display: none; }
  .shell, .columns, .front { display: block; }
  main#content { padding: 0; max-inline-size: none; }
  .operation, .code, tr, .shape { break-inside: avoid; }
  .operation { break-inside: auto; }
  h2, h3, .address, caption { break-after: avoid; }
  .examples { position: static; }

  .feature { break-before: page; }
}
`
