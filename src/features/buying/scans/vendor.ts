import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { Id, type Static, Text, Type } from '../../../core/define/schema.ts'
import { editDistance } from '../../../core/values/edit-distance.ts'
import { vendorKey } from '../suppliers/aliases.ts'

export const VendorMatch = Type.Object({
  supplierId: Id,
  name: Text,
  reason: Type.String({
    description: 'TAX_NUMBER, NAME, ALIAS (a person corrected it before) or SIMILAR_NAME.',
  }),
  explanation: Text,
  confidence: Type.Number({ description: '0–1.' }),
})
export type VendorMatch = Static<typeof VendorMatch>

/** How many suppliers are compared for a similar name; of more, only equal names are found. */
const comparedMax = 5_000

type Candidate = { id: string; name: string; hasNumber: boolean; hasAlias: boolean }

/** The supplier on record that a document is from, if one can be told. */
export async function matchVendor(
  db: Database,
  { vendor, vendorTaxNumber }: { vendor: string | null; vendorTaxNumber: string | null },
): Promise<VendorMatch | null> {
  const key = vendorKey(vendor ?? '')
  if (!key && !vendorTaxNumber) return null
  const digits = vendorTaxNumber?.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase() ?? ''
  const { rows: candidates } = await sql<Candidate>`select c.id, c.name,
      ${digits} <> '' and ${digits} in (upper(regexp_replace(coalesce(c.registration_number, ''), '\\W', '', 'g')),
        upper(regexp_replace(coalesce(s.tax_number, ''), '\\W', '', 'g')),
        upper(regexp_replace(coalesce(s.gst_number, ''), '\\W', '', 'g'))) as has_number,
      exists (select from supplier_aliases a where a.alias = ${key} and a.supplier_id = c.id) as has_alias
    from suppliers s join customers c on c.organization_id = s.organization_id and c.id = s.id
    order by c.id limit ${comparedMax}`.execute(db)
  return matchOf(candidates, { key, vendor: vendor ?? '', digits })
}

type Wanted = { key: string; vendor: string; digits: string }

function matchOf(candidates: readonly Candidate[], { key, vendor, digits }: Wanted): VendorMatch | null {
  const found = (
    match: Candidate | undefined,
    reason: string,
    explanation: string,
    confidence: number,
  ): VendorMatch | null => (match ? { supplierId: match.id, name: match.name, reason, explanation, confidence } : null)
  const only = (fits: (candidate: Candidate) => boolean) => {
    const fitting = candidates.filter(fits)
    return fitting.length === 1 ? fitting[0] : undefined
  }
  return (
    found(
      only(({ hasNumber }) => hasNumber),
      'TAX_NUMBER',
      `Its tax number is ${digits}.`,
      0.99,
    ) ??
    found(
      only(({ hasAlias }) => hasAlias),
      'ALIAS',
      `“${vendor}” was corrected to this supplier before.`,
      0.97,
    ) ??
    found(
      only(({ name }) => key !== '' && vendorKey(name) === key),
      'NAME',
      'It has the same name.',
      0.95,
    ) ??
    similar(candidates, { key, vendor })
  )
}

/** A name that differs in at most 12 % of its characters, as misread print does, and in no more than another one. */
function similar(candidates: readonly Candidate[], { key, vendor }: Omit<Wanted, 'digits'>): VendorMatch | null {
  const most = Math.floor(key.length * 0.12)
  if (most === 0) return null
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(vendorKey(candidate.name), key, most) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  const [best, second] = near
  if (!best || best.distance === second?.distance) return null
  const { id, name } = best.candidate
  const explanation = `“${vendor}” differs from its name in ${best.distance} of ${key.length} characters.`
  return { supplierId: id, name, reason: 'SIMILAR_NAME', explanation, confidence: 0.85 }
}
