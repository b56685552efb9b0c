/** The part of autocannon that load.ts uses; it brings no types. */
declare module 'autocannon' {
  export type Request = { method?: string; path?: string; headers?: Record<string, string>; body?: string }
  export type Options = {
    url: string
    connections: number
    duration: number
    /** Seconds until an answer is given up. */
    timeout?: number
    requests: (Request & { setupRequest?: (request: Request) => Request })[]
  }
  export type Outcome = {
    '2xx': number
    non2xx: number
    errors: number
    duration: number
    latency: { p50: number; p97_5: number; p99: number }
  }
  type Told = (client: unknown, status: number, bytes: number, responseMs: number) => void
  export type Running = Promise<Outcome> & { on(event: 'response', listener: Told): void }
  export default function autocannon(options: Options): Running
}
