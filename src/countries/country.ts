/** What a country answers. Features ask `countries[organization.country]` and never which country it is. */
export type Country = {
  code: 'IL' | 'SG' | 'US'
  /** Where an organization of this country starts, unless it says otherwise. */
  currency: string
  timezone: string
  /** What its companies write to their customers in. */
  language: 'en' | 'he'
}
