import { example } from '../../core/contract/example.ts'
import { describedInput } from '../../core/contract/input-schema.ts'
import { closed, type JsonSchema, plain } from '../../core/contract/json-schema.ts'
import { roleOf } from '../../core/contract/tool-list.ts'
import { appScopes } from '../../core/define/access.ts'
import { Failure } from '../../core/define/failure.ts'
import type { Operation } from '../../core/define/operation.ts'
import { fileTypesOf, isFile } from '../../core/files/file.ts'
import { errorBody } from '../../core/run/errors.ts'
import { toRequest } from '../../core/run/request.ts'
import { cookieName } from '../auth/credentials.ts'
import { describeScope } from '../oauth/consent-words.ts'
import { paths } from '../oauth/metadata.ts'
import { accessOf, byFeature, errorsOf, fieldsIn, isRequired, meaningOf, sampleInput } from './describe.ts'
import { type Resources, resourcesOf } from './resources.ts'

export type OpenApi = {
  openapi: '3.1.0'
  info: object
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Entry>>
  components: Record<string, Record<string, object>>
}
type Entry = { operationId: string; [field: string]: unknown }

/** The OpenAPI 3.1 document, generated from the list of operations. */
export function openApi(operations: readonly Operation[], { url, version }: { url: string; version: string }): OpenApi {
  const resources = resourcesOf(operations)
  const groups = byFeature(operations)
  const paths: OpenApi['paths'] = {}
  for (const operation of groups.flatMap((group) => group.operations)) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: entry(operation, resources) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kontor',
      version,
      summary: 'Financial operations for small companies, their bookkeepers and their AI agents.',
      description: `For companies in Israel, Singapore and the United States: ${groups.map(({ title }) => title).join(', ')}. Every operation is also described as a tool for AI agents, at [/api/tools](${url}/api/tools). The reference for people is at [/docs](${url}/docs).`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Kontor', url: `${url}/docs` },
    },
    servers: [{ url }],
    tags: groups.map(({ feature, title, about }) => ({
      name: feature,
      description: `${title}. ${about}`,
    })),
    paths,
    components: {
      schemas: { ...resources.schemas(), Error: errorSchema },
      responses: errorResponses,
      headers,
      parameters: { IdempotencyKey: idempotencyKey, IfMatch: ifMatch },
      securitySchemes: securitySchemes(url, operations),
    },
  }
}

function entry(operation: Operation, resources: Resources): Entry {
  const body = requestBody(operation, resources)
  return {
    operationId: operation.name,
    tags: [operation.feature],
    summary: operation.does.replace(/\.$/, ''),
    description: `${operation.does} ${accessOf(operation)}`,
    security: [...security(operation), ...(operation.link ? [{}] : [])],
    'x-scope': operation.scope,
    'x-role': roleOf(operation),
    'x-sources': operation.sources,
    parameters: parameters(operation),
    ...(body && { requestBody: body }),
    responses: {
      [operation.status]: {
        description: operation.status === 201 ? 'Made.' : 'Done.',
        headers: {
          ...rateHeaders,
          ...(!operation.reads && { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } }),
          ...(operation.version && { ETag: ref('ETag') }),
        },
        content: contentOf(operation, resources),
      },
      ...Object.fromEntries(
        errorsOf(operation).map((status) => [status, { $ref: `#/components/responses/${errorNames[status]}` }]),
      ),
    },
  }
}

/** JSON, a file, or JSON and the file that some formats answer. A file of JSON has the same content as the answer. */
function contentOf({ output, streams }: Operation, resources: Resources) {
  if (streams) return { 'text/event-stream': { schema: { type: 'string', description: streamDescription } } }
  if (isFile(output)) return { 'application/octet-stream': { schema: plain(output) } }
  return {
    ...Object.fromEntries(fileTypesOf(output).map((type) => [type, { schema: fileSchema(type) }])),
    'application/json': { schema: resources.refer(output) },
  }
}

const streamDescription =
  'Server-sent events, each with `id`, `event` and one line of JSON as `data`. With `Accept: text/event-stream` the stream stays open and sends what follows; otherwise it ends with the last event. An event `error` with `code` and `message` says why the server ends it.'

const fileSchema = (type: string) =>
  /^text\/|json$/.test(type) ? { type: 'string' } : { type: 'string', format: 'binary' }

/** API keys and apps send a bearer token, browsers a cookie. */
function security({ sources, scope }: Operation) {
  return [
    ...(sources.includes('API_KEY') ? [{ bearer: [] }] : []),
    ...(sources.includes('OAUTH') ? [{ oauth2: [scope] }] : []),
    ...(sources.includes('SESSION') ? [{ session: [] }] : []),
  ]
}

function parameters(operation: Operation): object[] {
  const described = (part: 'path' | 'query') =>
    fieldsIn(operation, part).map((field) => parameter(operation, field, part))
  const key = operation.reads ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]
  const version = operation.version === 'CHECKED' ? [{ $ref: '#/components/parameters/IfMatch' }] : []
  const resume = operation.streams ? [lastEventId] : []
  return [...described('path'), ...described('query'), ...key, ...version, ...resume]
}

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The same as lastEventId, as browsers send it when they reconnect. It takes precedence over the query.',
  schema: { type: 'integer', minimum: 0 },
}

function parameter(operation: Operation, field: string, part: 'path' | 'query') {
  const { description: _, ...schema } = plain(operation.input.properties[field] ?? {})
  const meaning = meaningOf(operation, field)
  return {
    name: field,
    in: part,
    required: part === 'path' || isRequired(operation, field),
    ...(meaning && { description: meaning }),
    schema,
    example: example(operation.input, { optional: true })[field],
  }
}

/** The fields of the input that are not in the path. The id of the path may be repeated in the body and must then be equal. */
function requestBody(operation: Operation, { lift }: Resources) {
  if (operation.method === 'GET' || operation.method === 'DELETE') return undefined
  const { properties, required, ...input } = lift(closed(describedInput(operation)))
  const inPath = fieldsIn(operation, 'path')
  const needed = ((required as string[] | undefined) ?? []).filter((field) => !inPath.includes(field))
  const described = Object.entries(properties as Record<string, JsonSchema>).map(([field, schema]) => {
    const description = inPath.includes(field) ? 'As in the path; may be left out.' : meaningOf(operation, field)
    return [field, { ...schema, ...(description && { description }) }]
  })
  const schema = { ...input, properties: Object.fromEntries(described), ...(needed.length > 0 && { required: needed }) }
  const json = { 'application/json': { schema, examples: bodyExamples(operation) } }
  return { required: needed.length > 0, content: operation.upload ? { ...form(schema), ...json } : json }
}

/** The same input as a multipart form with the file as a part. */
const form = (schema: JsonSchema) => ({
  'multipart/form-data': {
    schema: {
      ...schema,
      properties: {
        ...(schema.properties as object),
        file: { type: 'string', format: 'binary', description: 'The file, at most 20 MiB, with its name.' },
      },
    },
  },
})

function bodyExamples(operation: Operation) {
  const short = toRequest(operation, sampleInput(operation)).body
  const whole = toRequest(operation, example(operation.input, { optional: true })).body
  const same = Object.keys(short).length === Object.keys(whole).length
  return {
    short: { summary: 'A short request', value: short },
    ...(!same && { whole: { summary: 'Every field', value: whole } }),
  }
}

const ref = (name: string) => ({ $ref: `#/components/headers/${name}` })
const requestIdHeader = { 'X-Request-Id': ref('RequestId') }
const rateHeaders = {
  ...requestIdHeader,
  'RateLimit-Limit': ref('RateLimitLimit'),
  'RateLimit-Remaining': ref('RateLimitRemaining'),
  'RateLimit-Reset': ref('RateLimitReset'),
}

const count = { type: 'integer', minimum: 0 }
const headers = {
  RequestId: {
    description: 'The id of this request: the one you sent, or one made here. Name it when you ask for help.',
    schema: { type: 'string' },
  },
  RateLimitLimit: { description: 'How many calls fit in the bucket.', schema: count },
  RateLimitRemaining: { description: 'How many calls are left in it.', schema: count },
  RateLimitReset: { description: 'Seconds until it is full again.', schema: count },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: count },
  IdempotencyReplayed: {
    description: 'There when the answer was remembered and nothing was done again.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: { description: 'The version of the resource, in quotes.', schema: { type: 'string' } },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Your name for this request. Sent again with the same request it answers what the first one did, and nothing is done twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: 'invoice-2026-0042',
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The version or updatedAt that you have read, in quotes as in ETag. If somebody has changed the resource since, nothing is saved: 409 VERSION_CONFLICT says what changed. Without it, or with *, the change is made in any case.',
  schema: { type: 'string', pattern: '^(\\*|"[1-9][0-9]{0,8}")$' },
  example: '"3"',
}

const securitySchemes = (url: string, operations: readonly Operation[]) => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'kt_…',
    description: 'An API key, as POST /api/api-keys makes them.',
  },
  oauth2: {
    type: 'oauth2',
    description: 'The token of an app that a person has connected. It works in the organizations they chose for it.',
    flows: {
      authorizationCode: {
        authorizationUrl: url + paths.authorize,
        tokenUrl: url + paths.token,
        refreshUrl: url + paths.token,
        scopes: Object.fromEntries(scopesIn(operations).map((scope) => [scope, describeScope(scope)])),
      },
    },
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName({ url }),
    description: 'The session of a signed-in person, from POST /api/auth/sign-in.',
  },
})

/** The scopes that at least one operation requires. */
const scopesIn = (operations: readonly Operation[]) =>
  appScopes.filter((each) => operations.some(({ scope, sources }) => scope === each && sources.includes('OAUTH')))

const text = { type: 'string' }
export const errorSchema = {
  type: 'object',
  description: 'The one shape of every refusal.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: {
          type: 'string',
          enum: ['VALIDATION', 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'RATE_LIMIT', 'INTERNAL'],
          description: 'Stable; programs decide by it.',
        },
        message: { ...text, description: 'A sentence that a person can act on.' },
        details: {
          type: 'array',
          description: 'What is wrong and where.',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { ...text, description: 'The field, dotted; empty for the whole.' },
              message: text,
              code: { ...text, description: 'A finer meaning, such as REQUIRED or IDEMPOTENCY_KEY_REUSED.' },
              params: { type: 'object', description: 'The values in the message, such as `max` of TOO_LONG.' },
            },
          },
        },
        requestId: text,
      },
    },
  },
}

/** An example of each kind of error. */
export const refusals: { status: number; name: string; when: string; failure: Failure }[] = [
  { name: 'Validation', when: 'The input does not fit; `details` names each field.', failure: new Failure('VALIDATION', 'name is missing.', { details: [{ path: 'name', message: 'name is missing.', code: 'REQUIRED' }] }) },
  { name: 'Unauthenticated', when: 'There is no credential, or it is not valid (any more).', failure: new Failure('UNAUTHENTICATED', 'Sign in or send an API key.') },
  { name: 'Forbidden', when: 'The scope, the role, the organization or the kind of credential does not suffice.', failure: new Failure('FORBIDDEN', 'This needs the role MANAGER in the organization.') },
  { name: 'NotFound', when: 'There is no such thing, or it belongs to an organization you cannot reach.', failure: new Failure('NOT_FOUND', 'There is no such customer.') },
  { name: 'Conflict', when: 'The state of things does not allow it, or an Idempotency-Key was used with another request.', failure: new Failure('CONFLICT', 'It is still used elsewhere and cannot be deleted.', { details: [{ path: '', message: 'It is still used elsewhere and cannot be deleted.', code: 'IN_USE' }] }) },
  { name: 'RateLimit', when: 'Too many calls; wait for the seconds in Retry-After.', failure: new Failure('RATE_LIMIT', 'Too many requests (writes of this credential). Try again in 2 seconds.') },
  { name: 'Internal', when: 'Our fault. It is recorded, and nothing was changed.', failure: new Failure('INTERNAL', 'Something went wrong on our side. It has been recorded; nothing was changed.') },
].map((refusal) => ({ status: refusal.failure.status, ...refusal })) // biome-ignore format: a table

const errorNames: Record<number, string> = Object.fromEntries(refusals.map(({ status, name }) => [status, name]))

const errorResponses = Object.fromEntries(
  refusals.map(({ name, when, failure, status }) => [
    name,
    {
      description: when,
      headers: { ...(status === 429 ? { ...rateHeaders, 'Retry-After': ref('RetryAfter') } : requestIdHeader) },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          example: errorBody(failure, '01990000-0000-7000-8000-0000000000ff'),
        },
      },
    },
  ]),
)
