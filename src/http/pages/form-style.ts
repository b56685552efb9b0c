/** Styles of the sign-in pages (one card) and the account page (sections). */
export const formStyle = `
/* sign-in pages: one card */
.bar-links a { white-space: nowrap; }
.card .more { margin-block: 1rem 0; font-size: .9375rem; }
.single { max-inline-size: 27.5rem; margin-inline: auto; padding: clamp(1.6rem, 8vh, 5.5rem) 1.1rem 4rem; }
.single .card { padding: clamp(1.4rem, 5vw, 2.2rem); }
.card h1, .head h1 { font-size: 1.875rem; line-height: 1.2; }
.card h1 { margin-block-end: 1.4rem; padding-block-end: .9rem; border-block-end: 4px double var(--accent); }
.field { margin-block-end: 1.1rem; }
.field label, .card .field label { display: block; font-size: .9375rem; margin: 0 0 .3rem; }
.field input, .card .field input { display: block; inline-size: 100%; margin: 0; font: inherit; color: inherit; background: var(--paper); border: 1px solid color-mix(in srgb, var(--soft) 70%, var(--rule)); border-radius: 8px; padding: .6rem .8rem; }
.field input:focus { outline: 3px solid var(--accent); outline-offset: -1px; border-color: transparent; }
.field input[aria-invalid] { border-color: var(--danger); }
.field input[aria-invalid]:focus { outline-color: var(--danger); }
.field .hint { margin: .35rem 0 0; }
.field .problem { margin: .35rem 0 0; font-size: .875rem; }
.second { border: 0; margin: 0; padding: 0; min-inline-size: 0; }
.check, .card .check { display: flex; align-items: center; gap: .6rem; font-size: .9375rem; margin-block: .2rem 1.3rem; }
.check input, .card .check input { inline-size: 1.1rem; block-size: 1.1rem; margin: 0; accent-color: var(--accent); }
.single .card button.quiet { margin-block-start: 0; }
.or { display: flex; align-items: center; gap: .9rem; margin-block: 1.2rem; color: var(--soft); font-size: .875rem; }
.or::before, .or::after { content: ""; flex: 1; border-block-start: 1px solid var(--rule); }
.aside-links { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 1.5rem; margin-block: 1.6rem 0; padding-block-start: 1.1rem; border-block-start: 1px solid var(--rule); font-size: .9375rem; }
.button { display: block; text-align: center; font: 600 1rem/1.4 var(--sans); color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; padding: .7rem 1rem; text-decoration: none; }
.button.quiet { color: var(--accent); background: none; }
.choices { display: grid; gap: .8rem; margin: 1.5rem 0 0; }
.whom { padding: .8rem 1rem; background: var(--tint); border-radius: 8px; font-size: .9375rem; overflow-wrap: anywhere; }
.whom bdi { font-weight: 600; }
.done { background: var(--wash); border-radius: 8px; padding: .9rem 1.1rem; margin-block: 0; overflow-wrap: anywhere; }
.done:focus { outline: none; }
.single .notice, .wide .notice { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: .9rem 1.1rem; }

/* the account page */
.wide { max-inline-size: 60rem; margin-inline: auto; padding: clamp(1.8rem, 6vw, 4rem) clamp(1.1rem, 3vw, 2.5rem) 5rem; }
.head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: end; gap: 1rem 2rem; padding-block-end: 1.4rem; border-block-end: 5px double var(--accent); }
.head h1 { font-size: clamp(2rem, 5vw, 2.75rem); overflow-wrap: anywhere; }
.head .problem { margin: 0; }
.part { display: grid; grid-template-columns: minmax(0, 17rem) minmax(0, 1fr); gap: 1rem clamp(2rem, 6vw, 4.5rem); padding-block: 2.2rem; border-block-end: 1px solid var(--rule); scroll-margin-block-start: 4rem; }
.part:last-child { border-block-end: 0; }
.part h2 { font-size: 1.375rem; margin-block-end: .4rem; }
.part h3 { font-size: 1.1875rem; margin-block-end: .4rem; }
.about p { color: var(--soft); font-size: .9375rem; line-height: 1.55; margin: 0; }
.room > :first-child { margin-block-start: .25rem; }
.room form { max-inline-size: 26rem; }
.value { font-weight: 600; overflow-wrap: anywhere; margin-block-end: 1rem; }
.state { margin-block-end: 1rem; }
.good { color: var(--accent); font-weight: 400; font-size: .875rem; background: var(--wash); border-radius: 99px; padding: .1rem .6rem; white-space: nowrap; }
.again { margin-block-end: 1.2rem; }
.wide button, .folded > summary { font: 600 .9375rem/1.4 var(--sans); color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; padding: .55rem 1.1rem; cursor: pointer; }
.wide button:hover, .single button:hover, .button:hover { filter: brightness(1.08); }
.wide button:disabled { opacity: .6; cursor: progress; }
.wide button.quiet, .folded > summary { color: var(--accent); background: none; }
.wide button.danger { color: var(--danger); border-color: var(--danger); background: none; }
.wide button.small { flex: none; color: var(--soft); border-color: transparent; background: none; font-weight: 400; padding: .3rem .6rem; text-decoration: underline; text-underline-offset: .18em; text-decoration-thickness: 1px; }
.wide button.small:hover { color: var(--danger); }
.folded { margin-block: 0 .8rem; }
.folded > summary { display: inline-block; list-style: none; }
.folded > summary::-webkit-details-marker { display: none; }
.folded > summary:hover { background: var(--wash); }
.folded[open] > summary { color: var(--soft); border-color: var(--rule); margin-block-end: 1.2rem; }
.folded[open] { padding-block-end: 1rem; }
.entries { list-style: none; margin: 0 0 1.3rem; padding: 0; border-block-start: 1px solid var(--rule); }
.entries li { display: flex; justify-content: space-between; align-items: center; gap: 1rem; padding-block: .75rem; border-block-end: 1px solid var(--rule); min-inline-size: 0; }
.entries li > div { min-inline-size: 0; overflow-wrap: anywhere; }
.entries .none { color: var(--soft); }
.entries strong { font-weight: 600; }
.facts { color: var(--soft); font-size: .875rem; margin: 0; }
.qr { display: block; background: #fff; border-radius: 8px; padding: .4rem; margin-block: 0 1rem; border: 1px solid var(--rule); }
.secret { user-select: all; }
.recovery { background: var(--tint); border-radius: 10px; padding: 1.3rem; margin-block-start: 1rem; }
.recovery:focus { outline: none; }
.codes { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .2rem 1.5rem; margin: 0 0 1.2rem; padding-inline-start: 2rem; }
.codes code { background: none; padding: 0; white-space: nowrap; }
.row { display: flex; flex-wrap: wrap; gap: .7rem; margin: 0; }

@media (max-width: 48rem) {
  .part { grid-template-columns: minmax(0, 1fr); padding-block: 1.7rem; }
  .room form { max-inline-size: none; }
}
@media (max-width: 26rem) { .landing .bar-links a[href="/docs"] { display: none; } }
@media print {
  .single .card { display: block; border: 0; box-shadow: none; }
  .has-codes .head form, .has-codes .part:not(#authenticator), .has-codes .about, .has-codes .on, .has-codes .row { display: none; }
  .has-codes .part { display: block; }
}
`
