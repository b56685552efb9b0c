import { nullable, OneOf, type Static, Type } from '../../../../core/define/schema.ts'
import { Step, Token, TurnStatus } from '../sessions/session.ts'

const { input: _, output, ...shown } = Step.properties

const TokenData = Type.Object({ turnRunId: Type.String(), ...Token.properties })

const StepData = Type.Object({
  ...shown,
  output: { ...output, description: 'While the step is PENDING: what will happen after a yes. Otherwise null.' },
})

const TurnData = Type.Object({ turnRunId: Type.String(), status: TurnStatus, error: nullable(Type.String()) })

/** What happened in a session. */
export const StreamEvent = Type.Object({
  id: Type.Integer({ description: 'Its place in the session; increases. Resume with it as lastEventId.' }),
  event: OneOf('token', 'step', 'turn'),
  data: Type.Union([TokenData, StepData, TurnData], {
    description: 'Of a token: a piece of text. Of a step: the step as it is now. Of a turn: its status.',
  }),
})
export type StreamEvent = Static<typeof StreamEvent>
