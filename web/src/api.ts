import { onlineManager, type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SignedIn } from '../../src/features/company/people/person.ts'
import { type Name, type Operations, operations } from './contract.ts'
import { takeEarly } from './early.ts'

// The only file that sends requests. What an operation takes and answers, and its address, is in contract.ts.
export type { Name }
export type Input<N extends Name> = Operations[N]['input']
export type Output<N extends Name> = Operations[N]['output']

export type Detail = { path: string; message: string; code?: string; params?: Record<string, string | number> }

/** A refusal of the server: a sentence for the reader, and which fields it is about. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly params: Record<string, string | number>
  readonly details: readonly Detail[]
  readonly requestId: string | undefined
  /** Seconds until another attempt makes sense. */
  readonly retryAfter: number | undefined
  constructor(status: number, error: Refusal, retryAfter?: number) {
    super(error.message)
    this.status = status
    this.name = 'Refused'
    this.code = error.details?.[0]?.code ?? error.code
    this.params = error.details?.[0]?.params ?? {}
    this.details = error.details ?? []
    this.requestId = error.requestId
    this.retryAfter = retryAfter
  }
}
type Refusal = { code: string; message: string; details?: readonly Detail[]; requestId?: string }

type Sent = {
  signal?: AbortSignal
  /** A request with a key is done once, however often it is sent. */
  key?: string
  headers?: Record<string, string>
  /** It goes on when the page is closed. */
  keepalive?: boolean
  /** Whether a change waits for the server and for the person to sign in again; otherwise it fails at once. */
  waits?: boolean
}

export async function send<T>(method: string, url: string, body?: unknown, sent: Sent = {}): Promise<T> {
  const answer = await request(method, url, body, sent)
  if (answer.status === 204) return undefined as T
  const isJson = answer.headers.get('content-type')?.includes('json')
  return isJson ? answer.json() : ((await answer.blob()) as T)
}

/** The answer as it comes, for files and streams. Throws `Refused` if the server refuses. */
async function request(method: string, url: string, body?: unknown, sent: Sent = {}): Promise<Response> {
  const { signal, key, headers, keepalive = false, waits = method !== 'GET' } = sent
  const isForm = body instanceof FormData
  const isPlain = method === 'GET' && !headers
  const fetchOnce = () =>
    (isPlain && takeEarly(url)) ||
    fetch(url, {
      method,
      keepalive,
      ...(signal && { signal }),
      headers: {
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
  const startedAt = performance.now()
  const answer = await untilAnswered(fetchOnce, key !== undefined && waits && !keepalive)
  if (answer.ok) return answer
  const refusal = await answer.json().catch(() => ({ error: { code: 'INTERNAL', message: answer.statusText } }))
  const refused = new Refused(answer.status, refusal.error, Number(answer.headers.get('retry-after')) || undefined)
  const isOut = refused.code === 'UNAUTHENTICATED' && !url.startsWith('/api/auth/')
  if (isOut && startedAt < proof.signedInAt) return request(method, url, body, sent) // it was on its way meanwhile
  const ended = isOut && waits
  const ask = refused.code === 'SIGN_IN_AGAIN' ? proof.again : ended ? proof.signIn : undefined
  if (await ask?.()) return request(method, url, body, sent)
  // a refusal that was on its way while the person answered does not ask them again
  const isAnswered = refused.code === 'UNAUTHENTICATED' && startedAt < proof.answeredAt
  if (!ask && !isAnswered) for (const listener of refusalListeners) listener(refused)
  throw refused
}

/**
 * Ask the person to prove who they are, because the sign-in is too old or the session has ended; the request that was
 * refused goes on if they did. The shell sets them.
 */
export const proof: {
  again?: (() => Promise<boolean>) | undefined
  signIn?: (() => Promise<boolean>) | undefined
  /** When the person signed in again here, as `performance.now()` tells it. */
  signedInAt: number
  /** When they last signed in again or closed the question. */
  answeredAt: number
} = { signedInAt: 0, answeredAt: 0 }

/** Called for every refusal; the shell asks to sign in again when the session has ended. */
export const refusalListeners = new Set<(refused: Refused) => void>()

const attemptsMax = 5
/** What a proxy answers while the server behind it is away. */
const isAway = ({ status, headers }: Response) =>
  [502, 503, 504].includes(status) && !headers.get('content-type')?.includes('json')

/** Sends a request; with `again` until the server has answered, since it may be that only its answer was lost. */
async function untilAnswered(fetchOnce: () => Promise<Response>, again: boolean): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetchOnce()
      if (!again || attempt === attemptsMax || !isAway(answer)) return answer
    } catch (error) {
      const isNetwork = error instanceof TypeError
      if (isNetwork) void whenReachable()
      if (!isNetwork || !again || attempt === attemptsMax) throw error
    }
    await whenReachable()
  }
}

const isReachable = (): Promise<boolean> =>
  fetch('/health', { cache: 'no-store' }).then(
    (answer) => !isAway(answer),
    () => false,
  )

const longestPauseMs = 4_000
let reaching: Promise<void> | undefined

/** Resolves when the server answers. Until then the app is offline: reads and changes wait. */
export function whenReachable(): Promise<void> {
  reaching ??= askUntilReachable().finally(() => {
    reaching = undefined
  })
  return reaching
}
async function askUntilReachable() {
  for (let pauseMs = 500; !(await isReachable()); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    onlineManager.setOnline(false)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  onlineManager.setOnline(true)
}

/** Calls an operation by name: path fields go into the path, the rest into the query or the body. */
export function call<N extends Name>(name: N, input: Input<N>, sent?: Sent): Promise<Output<N>> {
  const { method, url, rest } = addressOf(name, input)
  if (method !== 'GET' && method !== 'DELETE') return send(method, url, rest, sent)
  return send(method, url + queryOf(rest), undefined, sent)
}

/** The address of an operation that is read by the browser itself: a picture, a download, a stream. */
export function hrefOf<N extends Name>(name: N, input: Input<N>): string {
  const { url, rest } = addressOf(name, input)
  return url + queryOf(rest)
}

/** Whether an operation only reads. */
export const isRead = (name: Name): boolean => operations[name].at.startsWith('GET ')

/** A file that an operation answers, under the name that the server gives it. */
export async function fileFrom<N extends Name>(name: N, input: Input<N>): Promise<{ file: Blob; fileName: string }> {
  const answer = await request('GET', hrefOf(name, input))
  const [, fileName = `${name.replaceAll('_', '-')}.json`] =
    /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
  return { file: await answer.blob(), fileName }
}

function addressOf(name: Name, input: object) {
  const [method = 'GET', path = ''] = operations[name].at.split(' ')
  const rest: Record<string, unknown> = { ...input }
  const url = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = rest[field]
    delete rest[field]
    return encodeURIComponent(String(value))
  })
  return { method, url, rest }
}

function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [field, value] of Object.entries(fields)) {
    if (Array.isArray(value)) for (const each of value) query.append(field, String(each))
    else if (value !== undefined && value !== '' && value !== null) query.set(field, String(value))
  }
  return query.size > 0 ? `?${query}` : ''
}

/** What a screen reads: `useQuery(read('invoices_list', { organizationId }))`. */
export const read = <N extends Name>(name: N, input: Input<N>) =>
  queryOptions({ queryKey: [name, input] as QueryKey, queryFn: ({ signal }) => call(name, input, { signal }) })

/**
 * What a screen changes. Everything that was read of the features it touches is read again. A retry under the same `key` is
 * the same request.
 */
export function useWrite<N extends Name>(name: N, touches: readonly string[] = [name.split('_')[0] ?? '']) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ key = crypto.randomUUID(), ...input }: Input<N> & { key?: string }) =>
      once(`${name} ${JSON.stringify(input)}`, () => call(name, input as Input<N>, { key })),
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => touches.some((feature) => String(queryKey[0]).startsWith(feature)),
      }),
  })
}

const underWay = new Map<string, Promise<unknown>>()

/** The same change, asked for twice before the first is answered, as by a double click, is made once. */
function once<T>(change: string, make: () => Promise<T>): Promise<T> {
  const before = underWay.get(change) as Promise<T> | undefined
  if (before) return before
  const made = make().finally(() => underWay.delete(change))
  underWay.set(change, made)
  return made
}

/** The demo companies that are being filled. Asked again while there are any. */
export const demo = queryOptions({
  queryKey: ['demo'],
  queryFn: () => send<{ beingFilled: string[] }>('GET', '/demo'),
  refetchInterval: ({ state }) => (state.data?.beingFilled.length === 0 || state.error ? false : 2_000),
  retry: false,
})

export const session = queryOptions({
  queryKey: ['session'],
  queryFn: () => send<SignedIn>('GET', '/api/auth/session'),
  staleTime: 60_000,
  retry: false,
})
