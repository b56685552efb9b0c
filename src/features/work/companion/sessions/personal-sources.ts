import type { Source } from '../../../../core/define/access.ts'

/** A person, or a program of theirs. Neither an automation nor the companion itself talks to the companion. */
export const personalSources: readonly Source[] = ['SESSION', 'API_KEY', 'OAUTH']
