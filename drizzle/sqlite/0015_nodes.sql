CREATE TABLE `nodes` (
	`id` text PRIMARY KEY NOT NULL,
	`beat` integer NOT NULL
);
