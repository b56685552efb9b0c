import { useQuery } from '@tanstack/react-query'
import { read, useWrite } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Skeleton } from '../../ui/card.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { TextField } from '../../ui/forms/text-field.tsx'
import { useWords } from '../../words.ts'
import type { Customer } from './facts.tsx'
import { customerWords } from './words.ts'

/** Who gets the documents of a customer. */
export function Recipients({ customer }: { customer: Customer }) {
  const say = useWords(customerWords)
  const may = useMay()
  const { data } = useQuery(read('customers_recipients', { id: customer.id }))
  const remove = useWrite('customers_recipients_delete')
  return (
    <Card title={say.recipients}>
      <div className="p-4 pt-1 grid gap-3">
        {data === undefined ? (
          <Skeleton className="h-8" />
        ) : data.length === 0 ? (
          <p className="text-soft">{customer.email ? say.onlyEmail : say.noAddress}</p>
        ) : (
          <ul>
            {data.map(({ id, email, name }) => (
              <li key={id} className="flex items-center gap-2 min-h-9">
                <span className="flex-1 min-w-0">
                  <bdi dir="ltr" className="block truncate on-line-start">
                    {email}
                  </bdi>
                  {name && <bdi className="block truncate text-sm text-soft on-line-start">{name}</bdi>}
                </span>
                {may('customers_recipients_delete') && (
                  <Button
                    look="quiet"
                    icon="close"
                    label={say.takeOff(email)}
                    onPress={() => remove.mutate({ id: customer.id, recipientId: id })}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        {may('customers_recipients_post') && <AddRecipient key={data?.length} id={customer.id} />}
      </div>
    </Card>
  )
}

function AddRecipient({ id }: { id: string }) {
  const say = useWords(customerWords)
  const add = useWrite('customers_recipients_post')
  const form = useForm({
    initial: { email: '', name: '' },
    save: ({ email, name }, key) => add.mutateAsync({ id, email, name: name || null, key }),
    after: () => undefined,
  })
  return (
    <form
      noValidate
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <div className="grid sm:grid-cols-2 gap-2">
        <TextField {...form.at('email')} label={say.email} type="email" dir="ltr" />
        <TextField {...form.at('name')} label={say.optional(say.name)} />
      </div>
      {form.problem && (
        <p role="alert" className="text-danger">
          {form.problem}
        </p>
      )}
      <div>
        <Button type="submit" icon="plus" busy={form.busy}>
          {say.add}
        </Button>
      </div>
    </form>
  )
}
