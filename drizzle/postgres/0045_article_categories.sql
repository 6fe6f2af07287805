CREATE TABLE "article_categories" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"position" bigint NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "article_categories_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
CREATE TABLE "article_places" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"article_id" text COLLATE "C" NOT NULL,
	"category_id" text COLLATE "C" NOT NULL,
	"position" bigint NOT NULL,
	CONSTRAINT "article_places_tenant_id_source_id_article_id_pk" PRIMARY KEY("tenant_id","source_id","article_id")
);

--> statement-breakpoint
ALTER TABLE "article_categories" ADD CONSTRAINT "article_categories_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_categories" ADD CONSTRAINT "article_categories_tenant_id_source_id_livechat_sources_tenant_id_id_fk" FOREIGN KEY ("tenant_id","source_id") REFERENCES "public"."livechat_sources"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_places" ADD CONSTRAINT "article_places_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_places" ADD CONSTRAINT "article_places_tenant_id_source_id_article_id_articles_tenant_id_source_id_id_fk" FOREIGN KEY ("tenant_id","source_id","article_id") REFERENCES "public"."articles"("tenant_id","source_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "article_places" ADD CONSTRAINT "article_places_tenant_id_category_id_article_categories_tenant_id_id_fk" FOREIGN KEY ("tenant_id","category_id") REFERENCES "public"."article_categories"("tenant_id","id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "article_categories_order" ON "article_categories" USING btree ("tenant_id","source_id","position","id");
--> statement-breakpoint
CREATE INDEX "article_places_order" ON "article_places" USING btree ("tenant_id","category_id","position","article_id");
