/** The categories of expenses that an organization starts with. */
export const firstCategories = [
  { name: 'Office', color: '#4f7cac' },
  { name: 'Software', color: '#6b5ca5' },
  { name: 'Travel', color: '#2a9d8f' },
  { name: 'Meals', color: '#e9a23b' },
  { name: 'Marketing', color: '#d1495b' },
  { name: 'Professional services', color: '#3d5a80' },
  { name: 'Rent and utilities', color: '#8d6a9f' },
  { name: 'Equipment', color: '#5b8e7d' },
  { name: 'Other', color: '#8a8d91' },
]
