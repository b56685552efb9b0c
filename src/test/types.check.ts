import { operation } from '../core/define/operation.ts'
import { ById, Id, Type } from '../core/define/schema.ts'
import { FileInput } from '../core/files/file.ts'

/**
 * Code that the compiler must refuse. Nothing here runs: `tsc` fails if a line under an expectation is no error any more.
 */

const about = { name: 'x_y', http: 'GET /api/x/{id}', does: 'Does it.', scope: 'customers:read' } as const
const Named = Type.Object({ id: Id, name: Type.String() })
const answer = async () => ({ id: '', name: '' })

export const accepted = [
  operation({ ...about, within: 'customers', input: ById, output: Named, run: answer }),
  operation({ ...about, within: 'caller', input: ById, output: Named, run: answer }),
  operation({ ...about, within: { table: 'customers', by: 'id' }, input: ById, output: Named, run: answer }),
  operation({
    ...about,
    within: 'organizationId',
    input: Type.Object({ organizationId: Id }),
    output: Named,
    run: answer,
  }),
  operation({ ...about, within: 'customers', outside: true, input: ById, output: Named, run: ({ tx }) => tx(answer) }),
  operation({
    ...about,
    within: 'customers',
    input: ById,
    output: ById,
    run: ({ db }) => db.selectFrom('customers').select('id').executeTakeFirstOrThrow(),
  }),
]

export const places = [
  // @ts-expect-error there is no such table
  operation({ ...about, within: 'clients', input: ById, output: Named, run: answer }),
  // @ts-expect-error users belong to no organization
  operation({ ...about, within: 'users', input: ById, output: Named, run: answer }),
  // @ts-expect-error the input names no organization
  operation({ ...about, within: 'organizationId', input: ById, output: Named, run: answer }),
  // @ts-expect-error the input has no id to find the row by
  operation({ ...about, within: 'customers', input: Type.Object({ name: Type.String() }), output: Named, run: answer }),
  // @ts-expect-error the row is found by a field that the input does not have
  operation({ ...about, within: { table: 'customers', by: 'customerId' }, input: ById, output: Named, run: answer }),
]

export const declarations = [
  // @ts-expect-error there is no such scope
  operation({ ...about, scope: 'clients:read', within: 'customers', input: ById, output: Named, run: answer }),
  // @ts-expect-error there is no such role
  operation({ ...about, role: 'ADMIN', within: 'customers', input: ById, output: Named, run: answer }),
  // @ts-expect-error operations live under /api
  operation({ ...about, http: 'GET /x/{id}', within: 'customers', input: ById, output: Named, run: answer }),
  // @ts-expect-error a scope must be said
  operation({ ...about, scope: undefined, within: 'customers', input: ById, output: Named, run: answer }),
]

export const answers = [
  // @ts-expect-error the name is missing from the answer
  operation({ ...about, within: 'customers', input: ById, output: Named, run: async () => ({ id: '' }) }),
  // @ts-expect-error the name is a text
  operation({ ...about, within: 'customers', input: ById, output: Named, run: async () => ({ id: '', name: 1 }) }),
]

export const queries = [
  operation({
    ...about,
    within: 'customers',
    input: ById,
    output: ById,
    // @ts-expect-error customers have no colour
    run: ({ db }) => db.selectFrom('customers').select(['id', 'colour']).executeTakeFirstOrThrow(),
  }),
  operation({
    ...about,
    within: 'bankAccounts',
    input: ById,
    output: ById,
    // @ts-expect-error there is no such table
    run: ({ db }) => db.selectFrom('tills').select('id').executeTakeFirstOrThrow(),
  }),
  operation({
    ...about,
    within: 'bankAccounts',
    input: ById,
    output: ById,
    run: ({ db }) =>
      db
        .insertInto('bankAccounts')
        // @ts-expect-error a bank account has a bank and currencies
        .values({ id: '', accountName: 'Main', isDefault: false })
        .returning('id')
        .executeTakeFirstOrThrow(),
  }),
  operation({
    ...about,
    within: 'customers',
    input: ById,
    output: ById,
    // @ts-expect-error the input has an id and no name
    run: async (_, { name }) => ({ id: name }),
  }),
]

export const outside = [
  operation({
    ...about,
    within: 'customers',
    outside: true,
    input: ById,
    output: ById,
    // @ts-expect-error an operation that uses the network has no transaction
    run: ({ db }) => db.selectFrom('customers').select('id').executeTakeFirstOrThrow(),
  }),
  operation({
    ...about,
    within: 'caller',
    input: ById,
    output: Named,
    // @ts-expect-error outside any organization there is no role
    run: async ({ who }) => ({ id: (await who).role, name: '' }),
  }),
]

const Brought = Type.Object({ organizationId: Id, file: FileInput })
const bringing = { ...about, http: 'POST /api/x', within: 'organizationId', output: Named } as const

export const uploads = [
  operation({
    ...bringing,
    outside: true,
    upload: true,
    input: Brought,
    run: async ({ upload }) => ({ id: '', name: upload.path }),
  }),
  // @ts-expect-error there is no upload unless it is declared
  operation({ ...bringing, outside: true, input: Brought, run: async ({ upload }) => ({ id: '', name: upload.path }) }),
  // @ts-expect-error an upload needs the field that brings it
  operation({ ...bringing, outside: true, upload: true, input: Type.Object({ organizationId: Id }), run: answer }),
]
