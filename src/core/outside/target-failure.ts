import { Failure } from '../define/failure.ts'

/** Why a target is refused. The audit log has the reason; callers get a message that several reasons share. */
type Refusal = keyof typeof refusals
/** Why a call of an allowed target failed. */
type Trouble = keyof typeof troubles

// Name, address and unresolved share one message: it must not reveal whether a name exists inside the network.
const nowhere = 'The target has no address on the public internet that may be called.'

const refusals = {
  form: 'Give a full web address that begins with https:// and has at most 2048 characters.',
  scheme: 'Only https addresses may be called here.',
  credentials: 'A web address must not carry a user name or a password.',
  port: 'The target uses a port that may not be called.',
  name: nowhere,
  address: nowhere,
  unresolved: nowhere,
  moved: nowhere,
} as const

const troubles = {
  resolver: { sentence: 'The name of the target could not be looked up.', isTransient: true },
  refused: { sentence: 'The target did not accept the connection.', isTransient: true },
  silent: { sentence: 'The target did not answer in time.', isTransient: true },
  broken: { sentence: 'The target broke off the connection.', isTransient: true },
  busy: { sentence: 'Too many calls to this target are under way. Try again shortly.', isTransient: true },
  insecure: {
    sentence: 'No secure connection to the target could be made; check its certificate.',
    isTransient: false,
  },
  unreadable: { sentence: 'The answer of the target could not be read.', isTransient: false },
  redirects: { sentence: 'The target redirects too often.', isTransient: false },
  status: { sentence: 'The target did not return the file.', isTransient: false },
} as const

/** A target was refused or could not be called. The message contains no address, port or text of the target. */
export class TargetFailure extends Failure {
  readonly target: 'TARGET_NOT_ALLOWED' | 'TARGET_UNREACHABLE'
  readonly reason: Refusal | Trouble
  /** Whether the same call may succeed a little later. A refusal is final. */
  readonly isTransient: boolean

  constructor(reason: Refusal | Trouble) {
    const { target, sentence, isTransient } = meaningOf(reason)
    super('VALIDATION', sentence, { details: [{ path: '', message: sentence, code: target }] })
    this.target = target
    this.reason = reason
    this.isTransient = isTransient
  }
}

function meaningOf(reason: Refusal | Trouble) {
  return reason in refusals
    ? ({ target: 'TARGET_NOT_ALLOWED', sentence: refusals[reason as Refusal], isTransient: false } as const)
    : ({ target: 'TARGET_UNREACHABLE', ...troubles[reason as Trouble] } as const)
}

/** Turns connection errors into a TargetFailure; any other error is returned unchanged. */
export function toTargetFailure(error: unknown): unknown {
  if (error instanceof Failure) return error
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  const { code } = error
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/.test(code))
    return new TargetFailure('refused')
  if (code === 'ETIMEDOUT') return new TargetFailure('silent')
  if (/^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_DESTROYED)$/.test(code))
    return new TargetFailure('broken')
  if (/^(HPE_|Z_|ERR_CONTENT_)/.test(code)) return new TargetFailure('unreadable')
  if (/^(ERR_SSL|ERR_TLS|EPROTO)|CERT|SELF_SIGNED|ISSUER|HOSTNAME|CRL|SIGNATURE/.test(code))
    return new TargetFailure('insecure')
  return error
}
