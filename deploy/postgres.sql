-- The database of deploy/compose.yaml: its owner is an ordinary role, as docs/postgresql.md explains. psql runs this once.
\getenv password POSTGRES_PASSWORD
create role kontor_confined nologin;
create role kontor_across nologin;
create role kontor login password :'password';
grant kontor_confined, kontor_across to kontor;
create database kontor owner kontor encoding 'UTF8' template template0;
revoke connect on database kontor from public;
