-- For a caller who reads payroll, these two answer nothing, but PostgreSQL planned them each time as parts of the statement
-- that names them: half of the planning of a journal, nearly all of that of a trial balance. A function with a setting of its
-- own is not made a part of the statement; it is planned when it is called, which is only for callers without payroll rights.
alter function payroll_lines(date, date) set jit = off;
alter function payroll_months(date, date) set jit = off;
