import type { Writable } from 'node:stream'
import type { Operation } from '../core/define/operation.ts'
import type { Runner, Services } from '../core/define/services.ts'
import type { FullDisks } from '../core/observe/full-disks.ts'
import type { Tracer } from '../core/observe/tracing.ts'
import type { Egress } from '../core/outside/egress.ts'
import type { Storage } from '../core/outside/storage.ts'
import type { Usage } from '../core/run/usage.ts'
import type { Notifications } from '../db/notifications.ts'
import type { Pool } from '../db/pool.ts'
import type { MetricsDependencies } from './observe/metrics.ts'

/** What the HTTP server needs to run. */
export type ServerDependencies = MetricsDependencies & {
  /** Of every surface. */
  operations: readonly Operation[]
  runner: Runner
  usage: Usage
  /** Holds the keys that sign and check links. */
  services: Services
  /** Provides the scratch files that uploads are written to. */
  storage: Storage
  /** Connections that are not confined to an organization, for sign-in and health. */
  system: Pool
  tracer?: Tracer | undefined
  /** Connections that operations use; here only for health. */
  confined: Pool
  /** Knows which disks have no space left. */
  disks: FullDisks
  /** Tells open streams that there is more to read. */
  notifications: Notifications
  /** Outgoing requests, to read the metadata documents of OAuth apps. */
  egress: Egress
  /** The folder of the built web app. */
  web: string
  /** Where the log is written; standard output by default. */
  log?: Writable
  /** Shorter ones for tests. */
  limits?: ReceiveLimits
}

export type ReceiveLimits = {
  /** How long a request may take to arrive, with its body (THR-27). */
  receiveMs: number
  /** How often connections are checked for it. */
  checkMs: number
  /** How long a connection may be idle between requests. */
  keepAliveMs: number
  streams?: Partial<StreamTimes>
}

export type StreamTimes = {
  keepAliveMs: number
  /** How long an idle stream stays open before its caller is authorized again. */
  authorizeMs: number
  /** A client that does not read for so long is disconnected. */
  stalledMs: number
  /**
   * Events are collected for a moment, so that a fast model does not cause a read for every word. The pauses grow to this time while
   * events come: the first ones after a quiet time, such as the first word of an answer, arrive soon.
   */
  pauseMs: number
  /** After a read that failed for a reason that may pass. */
  retryMs: number
}
