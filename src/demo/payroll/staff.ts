/** An employee of a demo company. `monthsAgo` is how long ago they began; one who left has the months since then. */
export type StaffMember = {
  name: string
  monthsAgo: number
  leftMonthsAgo?: number
  monthlyWage: number
  raise?: { monthsAgo: number; monthlyWage: number }
  /** A bonus in this month of the year. */
  bonus?: { month: number; amount: number }
  /** An advance that was paid some days ago and is set off against the next payslip. */
  advance?: { daysAgo: number; amount: number }
  /** Government-paid leave in a month. */
  leave?: { monthsAgo: number; description: string; amount: number }
  /** Fields of payroll_employees_create. */
  facts: Readonly<Record<string, unknown>>
}

const ilBank = (branchCode: string, accountNumber: string) => ({
  bankDetails: { bankName: 'Leumi', bankCode: '10', branchCode, accountNumber },
})

export const galilStaff: readonly StaffMember[] = [
  { name: 'מיכל דיין', monthsAgo: 40, monthlyWage: 14_200, raise: { monthsAgo: 9, monthlyWage: 15_300 }, bonus: { month: 3, amount: 4_000 },
    facts: { birthDate: '1986-02-11', creditPoints: 2.75, jobTitle: 'מנהלת מכירות', employeeNumber: '101', idNumber: '123456782', studyFundRate: 2.5, studyFundEmployerRate: 7.5, ...ilBank('800', '1234567') } },
  { name: 'יוסי אברמוב', monthsAgo: 31, monthlyWage: 9_800, raise: { monthsAgo: 7, monthlyWage: 10_400 }, advance: { daysAgo: 6, amount: 1_500 },
    facts: { birthDate: '1994-09-30', jobTitle: 'קולה', employeeNumber: '102', idNumber: '000000018', ...ilBank('801', '7654321') } },
  { name: 'נור חטיב', monthsAgo: 12, monthlyWage: 7_900,
    facts: { birthDate: '2001-06-19', jobTitle: 'אריזה ומשלוחים', employeeNumber: '103', idNumber: '111111118', ...ilBank('802', '3344556') } },
  { name: 'דוד רוזן', monthsAgo: 26, leftMonthsAgo: 5, monthlyWage: 11_500,
    facts: { birthDate: '1959-01-08', jobTitle: 'טכנאי', employeeNumber: '100', idNumber: '777777715', ...ilBank('803', '9988776') } },
] // biome-ignore format: a person each

const sgBank = (accountNumber: string) => ({
  bankDetails: { bankName: 'DBS', bankCode: '7171', branchCode: '003', accountNumber, swiftCode: 'DBSSSGSG' },
})

export const straitsStaff: readonly StaffMember[] = [
  { name: 'Marcus Lim', monthsAgo: 36, monthlyWage: 7_600, raise: { monthsAgo: 10, monthlyWage: 8_200 }, bonus: { month: 12, amount: 8_000 },
    facts: { birthDate: '1984-04-21', raceFund: 'CDAC', jobTitle: 'Design director', employeeNumber: 'S-01', ...sgBank('0031234567') } },
  { name: 'Aisyah Rahman', monthsAgo: 28, monthlyWage: 5_100, leave: { monthsAgo: 2, description: 'GPCL 3 days', amount: 706.15 },
    facts: { birthDate: '1991-11-02', raceFund: 'MBMF', jobTitle: 'Designer', employeeNumber: 'S-02', ...sgBank('0037654321') } },
  { name: 'Priya Nair', monthsAgo: 16, monthlyWage: 4_300, advance: { daysAgo: 9, amount: 800 },
    facts: { birthDate: '1996-07-14', raceFund: 'SINDA', residencyStatus: 'PERMANENT_RESIDENT', residencySince: '2025-03-10', jobTitle: 'Studio manager', employeeNumber: 'S-03', ...sgBank('0035566778') } },
] // biome-ignore format: a person each

const usBank = (accountNumber: string) => ({
  bankDetails: { bankName: 'Chase', routingNumber: '021000021', accountNumber, accountType: 'CHECKING' },
})

export const cedarStaff: readonly StaffMember[] = [
  { name: 'Tessa Novak', monthsAgo: 34, monthlyWage: 6_900, raise: { monthsAgo: 8, monthlyWage: 7_250 }, bonus: { month: 12, amount: 3_000 },
    facts: { birthDate: '1983-08-27', filingStatus: 'MARRIED_JOINTLY', state: 'WI', stateRate: 4.2, jobTitle: 'Foreman', employeeNumber: 'C1', idNumber: '521-44-1090', ...usBank('400100201') } },
  { name: 'Luis Ortega', monthsAgo: 20, monthlyWage: 4_850, advance: { daysAgo: 4, amount: 600 },
    facts: { birthDate: '1998-12-05', filingStatus: 'SINGLE', state: 'WI', stateRate: 3.8, jobTitle: 'Joiner', employeeNumber: 'C2', idNumber: '398-21-7713', ...usBank('400100202') } },
  { name: 'Grace Olsen', monthsAgo: 9, monthlyWage: 4_100,
    facts: { birthDate: '1990-03-16', filingStatus: 'HEAD_OF_HOUSEHOLD', dependentsCredit: 2_200, state: 'WI', stateRate: 3.5, jobTitle: 'Office', employeeNumber: 'C3', idNumber: '477-60-2258', ...usBank('400100203') } },
] // biome-ignore format: a person each
