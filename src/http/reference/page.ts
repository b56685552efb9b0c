import { type JsonSchema, plain } from '../../core/contract/json-schema.ts'
import type { Operation } from '../../core/define/operation.ts'
import { type Content, html, type Markup } from '../../core/values/html.ts'
import { type Assets, page } from '../pages/page.ts'
import { chapters, type ServerAddress } from './chapters.ts'
import { codeBlock, curl, toolCall } from './code-samples.ts'
import { byFeature, errorsOf, fieldsIn, isRequired, meaningOf, sourceWords } from './describe.ts'
import { fieldsOf, fieldTable, limitsOf, typeOf } from './field-table.ts'
import { errorSchema } from './openapi.ts'
import { resourcesOf } from './resources.ts'

type Group = ReturnType<typeof byFeature>[number] & { shapes: Shape[] }
type Shape = [name: string, schema: JsonSchema]

/** The reference for people: all operations on one page, generated from the same list as OpenAPI. */
export function referencePage(
  operations: readonly Operation[],
  { assets, ...server }: ServerAddress & { assets: Assets },
): string {
  const { groups, common, refer } = groupShapes(operations)
  const intro = chapters(server)
  const body = html`
<a class="skip" href="#content">Skip to the reference</a>
<header class="bar"><a class="mark" href="/"><img src="${assets.icon}" alt="" width="26" height="26">Kontor</a><span class="bar-title">API reference</span>
<nav class="bar-links" aria-label="For machines"><a href="/api/openapi.json">OpenAPI</a><a href="/api/tools">Tools</a></nav></header>
<div class="shell">
<aside class="side"><details class="menu" open><summary>Contents</summary>
<label class="filter" hidden><span class="away">Filter operations</span><input type="search" placeholder="Filter operations" autocomplete="off" spellcheck="false"><kbd>/</kbd></label>
<nav aria-label="Contents">
<h2>Basics</h2><ul>${intro.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}<li><a href="#shapes">Common shapes</a></li></ul>
${groups.map(navigation)}
<p class="nothing" hidden>Nothing matches.</p>
</nav></details></aside>
<main id="content">
<header class="title"><p class="eyebrow">Version 1.0.0</p><h1>The Kontor API</h1>
<p class="lead">Financial operations for small companies, their bookkeepers and their AI agents. ${operations.length} operations, each of them a web address and an entry in the list of tools.</p></header>
${intro.map(({ id, title, body }) => html`<section class="chapter" id="${id}"><h2><a href="#${id}">${title}</a></h2>${body}</section>`)}
<section class="chapter" id="shapes"><h2><a href="#shapes">Common shapes</a></h2>${common.map(shape)}</section>
${groups.map((group) => feature(group, refer, server))}
<footer class="foot">Kontor is open source under the Apache License 2.0.</footer>
</main></div>`
  return page({
    title: 'Kontor API reference',
    description: 'Every operation of the Kontor API, with parameters, answers and examples.',
    lang: 'en',
    assets,
    script: assets.reference,
    kind: 'reference',
    body,
  })
}

/** The operations by feature. Each feature also lists the shapes that its answers are the first to use. */
function groupShapes(operations: readonly Operation[]) {
  const { refer, schemas } = resourcesOf(operations)
  const shown = new Set(['Success', 'Pagination', 'Warning'])
  const groups: Group[] = byFeature(operations).map((group) => {
    const before = new Set(Object.keys(schemas()))
    for (const { output } of group.operations) refer(output)
    return { ...group, shapes: Object.entries(schemas()).filter(([name]) => !before.has(name) && !shown.has(name)) }
  })
  const common: Shape[] = [...Object.entries(schemas()).filter(([name]) => shown.has(name)), ['Error', errorSchema]]
  return { groups, common, refer }
}

const navigation = ({
  feature,
  title,
  operations,
}: Group) => html`<section class="nav-group"><h2><a href="#feature-${feature}">${title}</a></h2>
<ul>${operations.map(({ name, method, path, does }) => html`<li data-find="${`${name} ${method} ${path} ${does}`.toLowerCase()}"><a class="to-operation" href="#${name}" title="${does}">${verb(method)}<span>${broken(path.replace('/api', ''))}</span></a></li>`)}</ul></section>`

const verb = (method: string) =>
  html`<b class="method ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</b>`

/** Lets a path wrap after a slash. */
const broken = (path: string): Content =>
  path.split(/(?<=\/)/).map((part, index) => [index > 0 && html`<wbr>`, parameterMarked(part)])

const parameterMarked = (part: string): Content =>
  part.split(/(\{\w+\})/).map((piece, index) => (index % 2 === 1 ? html`<var>${piece}</var>` : piece))

const feature = (
  { feature, title, about, operations, shapes }: Group,
  refer: (schema: Operation['output']) => JsonSchema,
  server: ServerAddress,
) => html`
<section class="feature" id="feature-${feature}"><header class="feature-head"><h2><a href="#feature-${feature}">${title}</a></h2><p class="lead">${about}</p></header>
${shapes.map(shape)}
${operations.map((operation) => section(operation, refer(operation.output), server))}</section>`

const shape = ([name, schema]: Shape) =>
  html`<section class="shape" id="shape-${name}">${fieldTable({ caption: name, groups: [{ fields: fieldsOf(schema) }] })}</section>`

function section(operation: Operation, answer: JsonSchema, { url, hasMcp }: ServerAddress): Markup {
  const { name, method, path, does } = operation
  return html`
<article class="operation" id="${name}" data-find="${`${name} ${method} ${path} ${does}`.toLowerCase()}">
<p class="address"><b class="method ${method.toLowerCase()}">${method}</b> <code>${broken(path)}</code></p>
<h3><a href="#${name}">${does.replaceAll('e-mail', 'e\u2011mail')}</a></h3>
<ul class="chips">${chips(operation).map(([label, value]) => html`<li><span>${label}</span> ${value}</li>`)}</ul>
<div class="columns"><div class="tables">
${fieldTable({ caption: 'Parameters', groups: inputFields(operation), notesOf: limitsOf })}
${answerTable(operation, answer)}
<p class="may-fail"><span>Errors</span> ${errorsOf(operation).map((status) => html`<a href="#error-${status}">${status}</a> `)}</p>
</div><div class="examples">
${codeBlock('curl', curl(operation, url))}
${hasMcp && forAgents(operation) && codeBlock('MCP tool call', toolCall(operation))}
</div></div></article>`
}

/** Agents use an API key or a token, so operations for sessions only are no tools for them. */
const forAgents = ({ sources }: Operation) => sources.includes('API_KEY') || sources.includes('OAUTH')

function chips({ name, scope, role, sources, within }: Operation): [string, Content][] {
  const everywhere = sources.length === Object.keys(sourceWords).length
  return [
    ['Tool', html`<code>${name}</code>`],
    ['Scope', html`<code>${scope}</code>`],
    ...(within === 'caller' ? [] : [['Role', html`<code>${role}</code>`] satisfies [string, Content]]),
    ['From', everywhere ? 'anywhere' : sources.map((source) => html`<code>${source}</code> `)],
  ]
}

/** The fields of path, query and body, the required ones first. */
function inputFields(operation: Operation) {
  const { properties } = plain(operation.input) as { properties: Record<string, JsonSchema> }
  return (['path', 'query', 'body'] as const).map((part) => ({
    title: `In the ${part}`,
    fields: fieldsIn(operation, part)
      .map((name) => ({
        name,
        schema: properties[name] ?? {},
        required: isRequired(operation, name),
        meaning: meaningOf(operation, name),
      }))
      .toSorted((a, b) => Number(b.required) - Number(a.required)),
  }))
}

const answerTable = ({ status }: Operation, answer: JsonSchema) =>
  'properties' in answer
    ? fieldTable({ caption: `Answer ${status}`, groups: [{ fields: fieldsOf(answer) }] })
    : html`<p class="answer"><span>Answer ${status}</span> <code>${typeOf(answer)}</code></p>`
