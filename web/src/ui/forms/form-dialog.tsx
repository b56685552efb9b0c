import { type ReactNode, useId } from 'react'
import { Alert } from '../alert.tsx'
import { Button } from '../button.tsx'
import type { IconName } from '../icon.tsx'
import { Dialog } from '../overlays/dialog.tsx'

type FormDialogProps = {
  title: string
  /** The verb on the button. Enter in a field does it too. */
  act: string
  icon?: IconName
  isDisabled?: boolean
  form: { problem: string; busy: boolean; submit: () => Promise<void> }
  onClose: () => void
  children: ReactNode
}

/** A form over the page, with what was refused of it above its fields. */
export function FormDialog({ title, act, icon, isDisabled = false, form, onClose, children }: FormDialogProps) {
  const id = useId()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <Button look="primary" type="submit" form={id} icon={icon} busy={form.busy} isDisabled={isDisabled}>
          {act}
        </Button>
      }
    >
      <form
        id={id}
        noValidate
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation() // it may stand over another form
          void form.submit()
        }}
      >
        {form.problem && <Alert>{form.problem}</Alert>}
        {children}
      </form>
    </Dialog>
  )
}
