import { type ComponentProps, lazy, Suspense } from 'react'

const Loaded = lazy(() => import('./act-dialog.tsx').then(({ ActDialog: dialog }) => ({ default: dialog })))

/** The form of an operation, which is loaded when somebody opens one: a list needs none of its fields. */
export const ActDialog = (props: ComponentProps<typeof Loaded>) => (
  <Suspense>
    <Loaded {...props} />
  </Suspense>
)
