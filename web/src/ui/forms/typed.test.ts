import { expect, test } from 'vitest'
import { keepable } from './typed.ts'

test('what differs is kept, without secrets and files', () => {
  const saved = {
    name: 'Acme',
    notes: null,
    tags: ['a'],
    password: '',
    clientSecret: '',
    accessToken: '',
    value: '',
    file: null,
  }
  const typed = {
    ...saved,
    name: 'Acme Ltd.',
    tags: ['a'],
    password: 'horse',
    clientSecret: 'x',
    accessToken: 'x',
    value: 'x',
  }
  expect(keepable({ ...typed, file: new Blob(['x']) }, saved)).toEqual({ name: 'Acme Ltd.' })
  expect(keepable(saved, saved)).toEqual({})
  expect(keepable({ ...saved, tags: ['a', 'b'], notes: 'seen' }, saved)).toEqual({ tags: ['a', 'b'], notes: 'seen' })
})
