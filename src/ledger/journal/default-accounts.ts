import { countries } from '../../countries/countries.ts'

/** The charts of all countries as rows of `default_accounts`, by country and code. */
export const defaultAccounts = Object.values(countries).flatMap(({ code: country, accounts }) =>
  accounts.map(({ code, name, nameHe, type, purpose = null, taxCategories = [], categories = [] }) => ({
    country,
    code,
    name,
    name_he: nameHe,
    type,
    purpose,
    tax_categories: taxCategories,
    categories,
  })),
)
