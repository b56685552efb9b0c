import { emailSend } from './email-send.ts'
import type { EngineAction } from './engine-action.ts'
import { webhookPost } from './webhook-post.ts'

export const engineActions: readonly EngineAction[] = [webhookPost, emailSend]
