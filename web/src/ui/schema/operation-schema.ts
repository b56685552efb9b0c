import { schemas } from 'kontor:schemas'
import { useQuery } from '@tanstack/react-query'
import type { Name } from '../../api.ts'
import type { Schema } from './schema.ts'

/** The input schema of an operation; loaded with those of its feature. */
export function useOperationSchema(name: Name): Schema | undefined {
  const feature = name.split('_')[0] ?? ''
  const { data } = useQuery({
    queryKey: ['schemas', feature],
    queryFn: async () => (await schemas[feature]?.())?.default ?? {},
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.[name]
}
