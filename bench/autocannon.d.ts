/** The part of autocannon that load.ts uses; the package has no types. */
declare module 'autocannon' {
  export type Request = { method?: string; path?: string; headers?: Record<string, string>; body?: string }
  export type Options = {
    url: string
    connections: number
    duration: number
    /** Seconds until a request without an answer counts as failed. */
    timeout?: number
    /** Requests per second of all connections together. */
    overallRate?: number
    /** False counts the answer as a mismatch. */
    verifyBody?: (body: string) => boolean
    requests: (Request & { setupRequest?: (request: Request) => Request })[]
  }
  export type Outcome = {
    '2xx': number
    non2xx: number
    errors: number
    mismatches: number
    duration: number
  }
  type OnResponse = (client: unknown, status: number, bytes: number, responseMs: number) => void
  export type Running = Promise<Outcome> & { on(event: 'response', listener: OnResponse): void; stop(): void }
  export default function autocannon(options: Options): Running
}
