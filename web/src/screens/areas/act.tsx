import { lazily } from '../../ui/lazily.tsx'

/** The form of an operation, which is loaded when somebody opens one: a list needs none of its fields. */
export const ActDialog = lazily(() => import('./act-dialog.tsx'), 'ActDialog')
