CREATE TABLE "nodes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"beat" bigint NOT NULL
);

