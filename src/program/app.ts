import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { readBackupMetrics } from '../backup/outcomes.ts'
import { events } from '../catalog/events.ts'
import { bankFormatNames, clearanceHandlers } from '../catalog/filings.ts'
import { subscribers } from '../catalog/jobs.ts'
import { apiOperations, operations } from '../catalog/operations.ts'
import { type Config, signUpByLetter } from '../config/config.ts'
import type { Providers, Runner, Services } from '../core/define/services.ts'
import { subscriberJobs } from '../core/define/subscriber.ts'
import type { FullDisks } from '../core/observe/full-disks.ts'
import { createMetrics, type Metrics } from '../core/observe/metrics.ts'
import type { Tracer } from '../core/observe/tracing.ts'
import { createConsumeRateLimit, createInFlight, createLimiter, personLimits } from '../core/run/rate-limit.ts'
import { createRunner } from '../core/run/run.ts'
import { createUsage } from '../core/run/usage.ts'
import { createSeal } from '../core/secrets/seal.ts'
import { openSecrets } from '../core/secrets/secrets.ts'
import { type Notifications, openNotifications } from '../db/notifications.ts'
import { createNotifier } from '../db/notifier.ts'
import type { DatabaseConfig, Pool } from '../db/pool.ts'
import { createClearBeforeOriginal } from '../features/books/tax-authorities/clearance/before-original.ts'
import { createPrintOrder } from '../features/goods/orders/print/print-order.ts'
import { createPrintPayslip } from '../features/pay/payroll/print/print-payslip.ts'
import { createDeliverNow } from '../features/platform/mail/deliver-now.ts'
import { createPrintDocument } from '../features/selling/documents/print/print.ts'
import { drain } from '../http/drain.ts'
import { createMetricsServer } from '../http/observe/metrics-server.ts'
import { createServer } from '../http/server.ts'
import type { ReceiveLimits } from '../http/server-dependencies.ts'
import { mountMcp } from '../mcp/mount.ts'
import { recordRefusals } from '../providers/egress/audit.ts'
import { createEgress } from '../providers/egress/egress.ts'
import { mailFor } from '../providers/mail/mail.ts'
import { openConversation } from '../providers/model/conversation.ts'
import { openModel } from '../providers/model/model.ts'
import { boiSource, ecbSource, masSource } from '../providers/rates/exchange-rates.ts'
import { openReceiptReader } from '../providers/reader/reader.ts'
import { withSecondReader } from '../providers/reader/second/second-reader.ts'
import { openStorage } from '../providers/storage/storage.ts'
import { openTableReader } from '../providers/tables/tables.ts'
import { accessPoint } from '../providers/tax-authorities/access-point.ts'
import { israelTaxAuthority } from '../providers/tax-authorities/israel.ts'
import { openTracer } from '../providers/tracing/otlp.ts'
import { openTypesetter } from '../providers/typeset/typeset.ts'
import { readQueueMetrics } from '../worker/queue-metrics.ts'
import { authorityAddresses } from './authority-addresses.ts'
import { openFullDisks } from './data-folder/full-disks.ts'
import { keyringFor } from './data-folder/key-file.ts'
import { storagePrefix } from './data-folder/storage-prefix.ts'
import { mountSimulators, openInstallationMailOAuth, openMailboxes } from './mail-providers.ts'
import { openConfinedPools, openSystemPool } from './start/pools.ts'

/** The API, ready to listen, and its dependencies. */
export type App = {
  server: FastifyInstance
  runner: Runner
  services: Services
  providers: Providers
  system: Pool
  confined: Pool
  /** For operations with `heavy`. */
  heavy: Pool
  notifications: Notifications
  /** Tells the streams of an organization, in every process, that something may have changed. */
  changed: (organizationId: string) => void
  meter: Metrics
  disks: FullDisks
  tracer: Tracer | undefined
  /** A server with `/metrics`, `/health` and `/ready` only, for a worker process. */
  metricsServer: (isWorking: () => boolean) => FastifyInstance
  /** Answers running requests and accepts no new ones. */
  stopServing(): Promise<void>
  close(): Promise<void>
}

type AppOptions = {
  log?: Writable
  limits?: ReceiveLimits
  web?: string
  /** False for a worker process: what it does comes after requests. */
  servesRequests?: boolean
}

/** The built web app stands beside the program. From sources, as in tests, there is none unless the caller names one. */
const webFolder = fileURLToPath(new URL('./web', import.meta.url))

/** Builds the API over a database that is already migrated. */
export async function createApp(
  config: Config,
  database: DatabaseConfig,
  { log, limits, web = webFolder, servesRequests = true }: AppOptions = {},
): Promise<App> {
  const personal = personLimits({ mode: config.mode, scale: config.rateLimitScale })
  const limited = { ...database, options: [database.options, ...personal].filter(Boolean).join(' ') }
  const system = openSystemPool(limited, config.pools)
  const alarm = (sentence: string) => server.log.warn(sentence)
  const opening = openStored(config, system, alarm)
  const { secrets, home } = await opening.catch(async (error) => {
    await system.close()
    throw error
  })
  // Tokens of apps are valid for this address only; the database reads it from the connection.
  const options = `${limited.options} -c app.service=${config.url}`.trim()
  const { confined, heavy } = openConfinedPools({ ...database, options }, config.pools, { servesRequests })
  const services: Services = {
    secrets,
    consumeRateLimit: createConsumeRateLimit(config.rateLimitScale),
    installation: {
      mode: config.mode,
      url: config.url,
      signUp: config.signUp,
      signUpByLetter: signUpByLetter(config),
    },
    rateLimitScale: config.rateLimitScale,
    catalog: { operations: apiOperations, events, bankFormats: bankFormatNames },
  }
  const egress = createEgress({
    mode: config.mode,
    allow: config.egressAllow,
    allowHttp: config.egressAllowHttp,
    audit: recordRefusals(system, () => meter),
  })
  const mail = mailFor(config, system)
  const typesetter = openTypesetter()
  const storage = await openStorage({ dataDir: config.dataDir, s3Url: config.s3Url, home })
  const authorities = authorityAddresses(config)
  const taxAuthorities = {
    israel: israelTaxAuthority({ egress, ...authorities.israel }),
    accessPoint: accessPoint({ egress, ...authorities.accessPoint }),
  }
  const clearBeforeOriginal = createClearBeforeOriginal({
    confined,
    secrets,
    taxAuthorities,
    clearanceHandlers,
    subscriberJobs: subscriberJobs(subscribers),
  })
  const printDocument = createPrintDocument({ storage, typesetter, clearBeforeOriginal })
  const printOrder = createPrintOrder({ storage, typesetter })
  const printPayslip = createPrintPayslip({ storage, typesetter })
  const model = config.model && openModel(config.model, egress)
  const mailboxes = openMailboxes(config, egress, secrets)
  const providers: Providers = {
    mail,
    deliverNow: createDeliverNow({
      confined,
      services,
      providers: { mail, storage, printDocument, printOrder, printPayslip },
    }),
    egress,
    mailOAuth: openInstallationMailOAuth(config, egress),
    exchangeRates: config.exchangeRatesUrl ? ecbSource(config.exchangeRatesUrl, egress) : undefined,
    boiRates: config.boiRates && boiSource(config.boiRates, egress),
    masRates: config.masRates && masSource(config.masRates, egress),
    storage,
    typesetter,
    tableReader: openTableReader(),
    receiptReader: model ? withSecondReader(openReceiptReader(), model) : openReceiptReader(),
    conversation: model && openConversation(model, config.modelBudget),
    mailboxClient: mailboxes.client,
    printDocument,
    printOrder,
    printPayslip,
    taxAuthorities,
    clearanceHandlers,
    clearBeforeOriginal,
    run: (operation, call) => runner.run(operation, call),
  }
  const meter = createMetrics({ confined, heavy, system })
  const disks = openFullDisks({ config, system, storage, meter, log: () => server.log })
  const tracer = await openTracer(config.otlpEndpoint, (sentence) => server.log.warn(sentence))
  const limiter = createLimiter(system, config.rateLimitScale)
  const usage = createUsage(system, (error) => {
    if (server.outages?.cover(error)) return
    server.log.error({ err: error }, 'The usage of API keys could not be written. It will be retried.')
  })
  const inFlight = createInFlight({ perCredential: 100, perOrganization: 200 })
  const notifier = createNotifier({ pool: system, channel: 'changes' })
  const changed = notifier.notify
  const runner: Runner = createRunner({
    pool: confined,
    heavy,
    system,
    limiter,
    inFlight,
    usage,
    subscriberJobs: subscriberJobs(subscribers),
    services,
    providers,
    seal: createSeal(secrets.derived('idempotency')),
    tracer,
    changed,
  })
  const notifications = openNotifications({ database, channels: ['changes', 'companion'], pool: system })
  const figures = async () => [...(await readQueueMetrics(system)), ...(await readBackupMetrics(system))]
  const measured = { config, limiter, meter, figures }
  const server: FastifyInstance = await createServer({
    ...measured,
    operations,
    runner,
    usage,
    services,
    storage: providers.storage,
    system,
    tracer,
    confined,
    disks,
    notifications,
    egress: providers.egress,
    web,
    ...(log && { log }),
    ...(limits && { limits }),
  })
  mountSimulators(server, config, secrets)
  mountMcp(server, { config, operations: apiOperations, runner, limiter, usage, confined })
  const stopServing = () => drain(server, { proxied: config.trustedProxies.length > 0 })
  return {
    server,
    runner,
    services,
    providers,
    system,
    confined,
    heavy,
    notifications,
    changed,
    meter,
    disks,
    tracer,
    metricsServer: (isWorking) => createMetricsServer({ ...measured, system, confined }, isWorking),
    stopServing,
    async close() {
      await stopServing()
      disks.close()
      await usage.close()
      providers.mail.close()
      await providers.typesetter.close()
      await providers.tableReader.close()
      await providers.receiptReader.close()
      await mailboxes.close()
      await authorities.close()
      await tracer?.close()
      notifier.close()
      await notifications.close()
      await Promise.all([confined.close(), heavy.close(), system.close()])
    },
  }
}

/** What the database keeps of this installation. */
async function openStored(config: Config, system: Pool, alarm: (sentence: string) => void) {
  const secrets = await openSecrets(system, await keyringFor(config, system), { alarm })
  return { secrets, home: await storagePrefix(system) }
}
