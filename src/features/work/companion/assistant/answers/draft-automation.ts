import type { Steps, Talk } from '../talk.ts'
import { automationWord } from '../words/automations.ts'
import { part, text } from './record-rows.ts'
import type { Data } from './rows.ts'

type Block = { id: string; kind: string; ref: string | null; config: Data }
type Edge = { toBlockId: string; cond: unknown; mode: string }
type Automation = { id: string; name: string; status: string; blocks: Block[]; edges: Edge[] }

/** What a new automation will do, step by step, and that it is off. */
export async function* tellAutomation(talk: Talk, output: Data): Steps {
  const { id, name, status, blocks, edges } = output as unknown as Automation
  talk.show('automation', id, name)
  yield* talk.say(
    talk.in(`The automation “${talk.data(name)}” was drafted:`, `האוטומציה "${talk.data(name)}" נוצרה כטיוטה:`),
  )
  const weekday = edges.map(({ cond }) => weekdayOf(cond)).find(Boolean)
  const starts = blocks
    .filter(({ kind }) => kind === 'TRIGGER')
    .map(({ ref }) => (weekday ? weeklyWords(talk, weekday) : said(talk, ref)))
  if (starts.length > 0) yield* talk.line(talk.in(`• When: ${starts.join(', ')}`, `• מתי: ${starts.join(', ')}`))
  for (const block of blocks.filter(({ kind }) => kind !== 'TRIGGER'))
    yield* talk.line(
      stepText(
        talk,
        block,
        edges.find(({ toBlockId }) => toBlockId === block.id),
      ),
    )
  if (status !== 'ENABLED')
    yield* talk.line(
      talk.in(
        'It is off until it is enabled. Say “enable it” to turn it on.',
        'היא כבויה עד שמפעילים אותה. אמרו "הפעל אותה" כדי להפעיל.',
      ),
    )
}

function stepText(talk: Talk, { kind, ref, config }: Block, edge: Edge | undefined): string {
  if (kind === 'FILTER')
    return talk.in(`• Find: ${said(talk, rootOf(config))}`, `• איתור: ${said(talk, rootOf(config))}`)
  const to = text(part(config.input).to)
  const target = to === '' || to.includes('{{') ? '' : talk.in(` to ${talk.data(to)}`, ` אל ${talk.data(to)}`)
  const each = edge?.mode === 'FOR_EACH' ? talk.in(', for each of them', ', לכל אחד מהם') : ''
  const condition = edge?.cond && !weekdayOf(edge.cond) ? talk.in(', on a condition', ', בתנאי') : ''
  return talk.in(
    `• Do: ${said(talk, ref)}${target}${each}${condition}`,
    `• פעולה: ${said(talk, ref)}${target}${each}${condition}`,
  )
}

const weekdayOf = (cond: unknown): string | undefined => {
  const { left, right } = part(cond)
  return left === '{{context.weekday}}' ? text(right) : undefined
}

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** `every Friday at 08:00` */
function weeklyWords(talk: Talk, weekday: string): string {
  const sunday = Date.UTC(2026, 0, 4)
  const day = new Date(sunday + days.indexOf(weekday) * 86_400_000)
  const name = new Intl.DateTimeFormat(talk.in('en-GB', 'he-IL'), { weekday: 'long', timeZone: 'UTC' }).format(day)
  return talk.data(talk.in(`every ${name} at 08:00`, `בכל ${name} ב-08:00`))
}

const rootOf = (config: Data) => text(part(config.spec).root)
const said = (talk: Talk, ref: string | null) => talk.data(automationWord(talk.language, ref ?? ''))
