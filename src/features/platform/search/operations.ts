import { atLeast, hasScope } from '../../../core/define/access.ts'
import { type Database, type Member, operation } from '../../../core/define/operation.ts'
import { defaulted, Id, Type } from '../../../core/define/schema.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { newestDocuments, partnersByName, searched, wantedIn } from './candidates.ts'
import { type Candidate, Hit, type HitKind, hitKinds } from './hit.ts'
import { hitOf, similarHitOf } from './match.ts'

export const search = operation({
  name: 'search_everything',
  http: 'GET /api/search',
  does: 'Searches everything that the caller may read at once, and returns the best of each kind. The kinds are documents, customers, suppliers, items, payments, expenses, orders, automations, employees and accounts.',
  scope: 'organizations:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    query: Type.String({ minLength: 1, maxLength: 200, description: 'A number, a name, or words of either.' }),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 20, description: 'Of each kind.' }), 5),
  }),
  output: Type.Object({ hits: Type.Array(Hit, { description: 'The best first, of all kinds.' }) }),
  async run({ db, who }, { query, limit }) {
    const text = query.normalize('NFC').trim().replace(/\s+/g, ' ')
    if (text === '') return { hits: [] }
    const kinds = kindsFor(await who)
    const found = await findContaining(db, text, kinds)
    const similar = found.length < fewHits && isName(text) ? await findSimilar(db, text, kinds) : []
    const partners = best([...found, ...similar], limit)
    const theirs = await documentsOf(db, { partners, text, kinds, limit })
    return { hits: best([...theirs, ...found, ...similar], limit) }
  },
})

/** With fewer hits than this, names that are nearly the text are looked for too. */
const fewHits = 3

/** Numbers and addresses are not guessed. */
const isName = (text: string) => /^[^\d@]{4,}$/u.test(text)

const kindsFor = ({ role, scopes }: Pick<Member, 'role' | 'scopes'>): HitKind[] =>
  hitKinds.filter((kind) => {
    const needed = searched[kind]
    return atLeast(role, needed.role) && hasScope(scopes, needed.scope)
  })

/** One statement for each kind, in one round trip. */
async function findContaining(db: Database, text: string, kinds: readonly HitKind[]): Promise<Hit[]> {
  const wanted = wantedIn(db, text)
  const candidates = await pipeline(
    Object.fromEntries(kinds.map((kind) => [kind, searched[kind].candidates(wanted)])) as Record<
      HitKind,
      Promise<readonly Candidate[]>
    >,
  )
  return Object.values(candidates).flatMap((rows) => rows.flatMap((row) => hitOf(text, row) ?? []))
}

async function findSimilar(db: Database, text: string, kinds: readonly HitKind[]): Promise<Hit[]> {
  const partners = (['customers', 'suppliers'] as const).filter((kind) => kinds.includes(kind))
  const names = await pipeline(Object.fromEntries(partners.map((kind) => [kind, partnersByName(db, kind)])))
  return Object.values(names).flatMap((rows) => rows.flatMap((row) => similarHitOf(text, row) ?? []))
}

type Asked = { partners: readonly Hit[]; text: string; kinds: readonly HitKind[]; limit: number }

/** The newest documents of the customers that were found best. */
async function documentsOf(db: Database, { partners, text, kinds, limit }: Asked): Promise<Hit[]> {
  const customers = partners.filter(({ kind, matched }) => kind === 'customers' && matched.field === 'name').slice(0, 3)
  if (customers.length === 0 || !kinds.includes('documents')) return []
  const rows = await newestDocuments(
    db,
    customers.map(({ id }) => id),
    limit,
  )
  return rows.flatMap(
    (row) => hitOf(text, row) ?? similarHitOf(text, { ...row, texts: { customer: row.subtitle } }) ?? [],
  )
}

/** The best of each kind, each thing once; of equally good ones the newest. */
function best(hits: readonly Hit[], limit: number): Hit[] {
  const sorted = hits.toSorted((a, b) => b.score - a.score || (b.date ?? '').localeCompare(a.date ?? ''))
  const counts = new Map<HitKind, number>()
  const seen = new Set<string>()
  return sorted.filter(({ kind, id }) => {
    const count = counts.get(kind) ?? 0
    if (count === limit || seen.has(`${kind} ${id}`)) return false
    counts.set(kind, count + 1)
    seen.add(`${kind} ${id}`)
    return true
  })
}
