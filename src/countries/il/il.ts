import type { Country } from '../country.ts'

export const il: Country = { code: 'IL', currency: 'ILS', timezone: 'Asia/Jerusalem', language: 'he' }
