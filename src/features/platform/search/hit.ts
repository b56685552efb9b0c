import { nullable, OneOf, type Static, Type } from '../../../core/define/schema.ts'

export const hitKinds = [
  'documents', 'customers', 'suppliers', 'items', 'payments', 'expenses', 'orders', 'automations', 'employees', 'accounts',
] as const // biome-ignore format: a list of words
export type HitKind = (typeof hitKinds)[number]

const fields = [
  'number', 'customer', 'supplier', 'name', 'email', 'phone', 'registrationNumber', 'notes', 'reference', 'sku', 'barcode',
  'description', 'title', 'vendor', 'employeeNumber', 'code',
] as const // biome-ignore format: a list of words
export type MatchedField = (typeof fields)[number]

/** Something that a search found. */
export const Hit = Type.Object({
  kind: OneOf(...hitKinds),
  id: Type.String(),
  title: Type.String({ description: 'Its number or name.' }),
  subtitle: nullable(Type.String({ description: 'Whom or what it concerns.' })),
  type: nullable(
    Type.String({ description: 'The type of a document, account or item; SALES or PURCHASE of an order.' }),
  ),
  status: nullable(Type.String()),
  amount: nullable(Type.Number()),
  currency: nullable(Type.String()),
  date: nullable(Type.String({ description: 'YYYY-MM-DD.' })),
  matched: Type.Object(
    {
      field: OneOf(...fields),
      text: Type.String({ description: 'What is there; of a long text the part around the match.' }),
      how: OneOf('EXACT', 'PREFIX', 'WORD', 'PART', 'SIMILAR'),
    },
    { description: 'Why it was found. SIMILAR: despite a typing error, or in the letters of another language.' },
  ),
  score: Type.Integer({ description: 'Higher is better; hits are sorted by it.' }),
})
export type Hit = Static<typeof Hit>

/** What may be a hit: its texts are compared with the words that are searched. */
export type Candidate = Omit<Hit, 'matched' | 'score'> & { texts: Partial<Record<MatchedField, string | null>> }
